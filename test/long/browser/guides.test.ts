import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { addressOf, guides, guidesAddress } from '../../../build/site/guides/guides.ts';
import { sampleOrigin } from '../../../build/site/text.ts';
import { skip } from './browser.ts';
import { assertAccessible } from './fits.ts';
import { openBrowser, openSite } from './open-site.ts';
import { focused, tabTo } from './tab-to.ts';
import { openWatched } from './watched-page.ts';

const paths = [guidesAddress, ...guides.map(addressOf)];

describe('The guides in a browser', { skip }, async () => {
  if (skip) return;
  const browser = await openBrowser();
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { baseUrl, page, errors, open, reset } = await openSite(browser, {}, { permissions });
  beforeEach(reset);

  it('load without an error, are accessible, narrow and wide, light and dark, and have no broken links', async () => {
    const linked = new Set<string>();
    for (const path of paths) {
      await open(path);
      assert.deepEqual(errors, [], path);
      await assertAccessible(page, path);
      const links = await page
        .locator('main a')
        .evaluateAll((anchors) => anchors.map((anchor) => String(anchor.getAttribute('href'))));
      for (const link of links) {
        if (link.startsWith('#')) assert.equal(await page.locator(link).count(), 1, link);
        // Pages of others are not requested.
        else if (link.startsWith('/')) linked.add(link);
      }
    }
    assert.ok(linked.size > 0);
    for (const link of linked) assert.equal((await fetch(baseUrl + link)).status, 200, link);
  });

  it('can be reached from the landing page and from each other, by keyboard alone', async () => {
    await open('/docs/');
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
    assert.deepEqual(errors, []);
  });

  it('show a program in the language chosen by keyboard, and copy all of it', async () => {
    await open('/docs/guides/checksum/');
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
    assert.deepEqual(errors, []);
  });

  it('are readable without JavaScript: every program in every language, under its name, and no button', async () => {
    const { context, page, errors } = await openWatched(browser, baseUrl, { javaScriptEnabled: false });
    for (const path of paths) {
      await page.goto(path);
      const blocks = page.locator('main pre');
      assert.equal(await page.locator('main pre:visible').count(), await blocks.count(), path);
      assert.equal(
        await page.locator('.language:visible').count(),
        await page.locator('[data-sample]').count(),
        path,
      );
      assert.equal(await page.locator('button:visible').count(), 0, path);
      assert.deepEqual(errors, [], path);
    }
    await context.close();
  });
});
