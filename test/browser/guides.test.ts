import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { addressOf, guidesAddress } from '../../build/site/guides/guide.ts';
import { guides } from '../../build/site/guides/guides.ts';
import { sampleOrigin } from '../../build/site/sample-origin.ts';
import { runGateway } from '../gateway/running-gateway.ts';
import { accessibilityFaults } from './axe.ts';
import { skip, startBrowser } from './browser.ts';
import { focused, tabTo } from './tab-to.ts';
import { openWatched } from './watched-page.ts';
import { windows } from './windows.ts';

const paths = [guidesAddress, ...guides.map(addressOf)];

describe('The guides in a browser', { skip }, async () => {
  if (skip) return;
  const { baseUrl, close } = await runGateway();
  const browser = await startBrowser();
  after(async () => {
    await browser.close();
    await close();
  });

  async function open(path: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options);
    const watched = await openWatched(context, baseUrl);
    await watched.page.goto(baseUrl + path, { waitUntil: 'networkidle' });
    return { ...watched, context };
  }

  for (const { width, colorScheme } of windows) {
    it(`are whole, without an error, and as wide as the window: ${width} pixels, ${colorScheme}`, async () => {
      const viewport = { width, height: 740 };
      for (const path of paths) {
        const { page, faults, context } = await open(path, { colorScheme, viewport });
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, path);
        assert.deepEqual(faults, [], path);
        await context.close();
      }
    });

    it(`leave axe nothing to find: ${width} pixels, ${colorScheme}`, async () => {
      const viewport = { width, height: 740 };
      for (const path of paths) {
        const { page, context } = await open(path, { colorScheme, viewport, bypassCSP: true });
        assert.deepEqual(await accessibilityFaults(page), [], path);
        await context.close();
      }
    });
  }

  it('link to what is there', async () => {
    for (const path of paths) {
      const { page, context } = await open(path);
      const links = await page
        .locator('main a')
        .evaluateAll((anchors) => anchors.map((anchor) => String(anchor.getAttribute('href'))));
      for (const link of links) {
        if (link.startsWith('#')) assert.equal(await page.locator(link).count(), 1, link);
        else assert.equal((await fetch(baseUrl + link)).status, 200, link);
      }
      await context.close();
    }
  });

  it('are led to by the reference, and lead from one to the next, by keyboard alone', async () => {
    const { page, faults, context } = await open('/docs/');
    await tabTo(page, 'Guides');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${guidesAddress}`);
    for (const { title } of guides) {
      await tabTo(page, title);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      const current = page.getByRole('navigation', { name: 'Guides' }).locator('[aria-current=page]');
      assert.deepEqual(await current.allTextContents(), [title]);
    }
    assert.deepEqual(faults, []);
    await context.close();
  });

  it('show a program in one language at a time, chosen by keyboard, and all of it to be copied', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, faults, context } = await open('/docs/guides/checksum/', { permissions });
    const tabs = page.getByRole('tab');
    assert.deepEqual(await tabs.allTextContents(), ['JavaScript', 'Python', 'Java']);
    await tabs.first().focus();
    for (const [key, name, file] of [
      ['ArrowRight', 'Python', 'verify.py'],
      ['ArrowRight', 'Java', 'Verify.java'],
      ['ArrowRight', 'JavaScript', 'verify.mjs'],
    ] as const) {
      await page.keyboard.press(key);
      assert.equal(await focused(page), name);
      assert.equal(await page.locator('[data-samples] pre:visible').count(), 1);
      assert.ok(await page.getByText(`Save it as ${file}`).isVisible());
    }
    await page.keyboard.press('Tab');
    assert.match(await focused(page), /^import \{ createHash \}/);
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Copy the JavaScript sample');
    await page.keyboard.press('Enter');
    await page.getByText('Sample copied.').waitFor({ state: 'attached' });
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.equal(copied, await page.locator('[data-sample=javascript] code').first().textContent());
    assert.ok(copied.includes(`const service = '${baseUrl}';`) && !copied.includes(sampleOrigin));
    assert.deepEqual(faults, []);
    await context.close();
  });

  it('read with script off: every program in every language, under its name, and no button', async () => {
    for (const path of paths) {
      const { page, faults, context } = await open(path, { javaScriptEnabled: false });
      const blocks = page.locator('main pre');
      assert.equal(await page.locator('main pre:visible').count(), await blocks.count(), path);
      assert.equal(
        await page.locator('.language:visible').count(),
        await page.locator('[data-sample]').count(),
        path,
      );
      assert.equal(await page.locator('button').count(), 0, path);
      assert.deepEqual(faults, [], path);
      await context.close();
    }
  });
});
