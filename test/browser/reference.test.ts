import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apiErrors } from '../../build/release/errors.ts';
import { sampleOrigin } from '../../build/site/sample-origin.ts';
import { accessibilityFaults } from './axe.ts';
import { skip } from './browser.ts';
import { openReference } from './open-reference.ts';

/** Bytes over the wire before the page is of use. */
const mostBytes = 250_000;

describe('The API reference in a browser', { skip }, async () => {
  if (skip) return;
  const { baseUrl, browser, open } = await openReference();

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`is where the root leads, whole, without an error, in ${colorScheme}`, async () => {
      const { page, faults } = await open({ colorScheme });
      await page.goto(`${baseUrl}/`, { waitUntil: 'networkidle' });
      assert.equal(page.url(), `${baseUrl}/docs/`);
      assert.equal(await page.title(), 'Pastpaper: API reference');
      const text = (await page.textContent('body')) ?? '';
      for (const { message } of Object.values(apiErrors)) assert.ok(text.includes(message), message);
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      assert.equal(background, colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 23, 26)');
      assert.deepEqual(faults, []);
      await page.context().close();
    });

    it(`leaves axe nothing to find, in ${colorScheme}`, async () => {
      const { page } = await open({ colorScheme, bypassCSP: true });
      for (const details of await page.locator('summary').all()) await details.click();
      await page.locator('#try-form button[type=submit]').click();
      await page.locator('#try-body pre').waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      await page.context().close();
    });
  }

  for (const width of [320, 360, 768, 1024]) {
    it(`fits ${width} pixels without scrolling sideways`, async () => {
      const { page } = await open({ viewport: { width, height: 740 } });
      for (const details of await page.locator('summary').all()) await details.click();
      await page.locator('#try-form button[type=submit]').click();
      await page.locator('#try-body pre').waitFor();
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
      await page.context().close();
    });
  }

  it('links to what is there', async () => {
    const { page } = await open();
    const links = await page
      .locator('main a')
      .evaluateAll((anchors) => anchors.map((anchor) => String(anchor.getAttribute('href'))));
    assert.ok(links.length >= 20);
    for (const link of links) {
      if (link.startsWith('#')) assert.equal(await page.locator(link).count(), 1, link);
      else assert.equal((await fetch(baseUrl + link)).status, 200, link);
    }
    await page.context().close();
  });

  it('reads with script off: every sample, every field, no form', async () => {
    const { page, faults } = await open({ javaScriptEnabled: false });
    for (const language of ['curl', 'javascript', 'python'])
      assert.ok((await page.locator(`[data-sample=${language}] pre:visible`).count()) >= 5, language);
    assert.equal(await page.locator('h2:visible').count(), await page.locator('h2').count());
    assert.equal(await page.locator('#try-form').isVisible(), false);
    assert.equal(await page.locator('button:visible').count(), 0);
    const said = await page.locator('noscript').allInnerTexts();
    assert.match(said.join(), /To send requests from this page needs JavaScript/);
    await page.locator('summary').first().click();
    await page.locator('details table').first().waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('is of use after 250 KB at most, all of it from its own origin', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize));
    });
    await page.goto(`${baseUrl}/docs/`, { waitUntil: 'networkidle' });
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(
      sizes.length >= 4 && bytes > 0 && bytes <= mostBytes,
      `${bytes} bytes in ${sizes.length} answers`,
    );
    await context.close();
  });

  it('names its own origin in the samples, and copies them', async () => {
    const { page, faults } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const samples = await page.locator('[data-sample] code').allTextContents();
    for (const sample of samples)
      assert.ok(!sample.includes(sampleOrigin) && sample.includes(baseUrl), sample);
    await page.locator('[data-sample] .copy').first().click();
    await page.getByText('Sample copied.').waitFor({ state: 'attached' });
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), samples[0]);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('shows the samples of a language by keyboard, everywhere at once', async () => {
    const { page, faults } = await open();
    const tabs = page.locator('[data-samples=getExam]').getByRole('tab');
    await tabs.first().focus();
    for (const [key, name] of [
      ['ArrowRight', 'JavaScript'],
      ['ArrowRight', 'Python'],
      ['ArrowRight', 'curl'],
      ['End', 'Python'],
      ['ArrowLeft', 'JavaScript'],
      ['Home', 'curl'],
      ['ArrowLeft', 'Python'],
    ] as const) {
      await page.keyboard.press(key);
      assert.equal(await page.evaluate('document.activeElement.textContent'), name);
      assert.deepEqual(
        await page.locator('[role=tab][aria-selected=true]').allTextContents(),
        Array(5).fill(name),
      );
    }
    await page.keyboard.press('Tab');
    assert.match(String(await page.evaluate('document.activeElement.textContent')), /^import json/);
    assert.equal(await page.locator('[data-samples=getExam] pre:visible').count(), 1);
    assert.deepEqual(faults, []);
    await page.context().close();
  });
});
