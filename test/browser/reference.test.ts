import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { apiErrors } from '../../build/release/errors.ts';
import { runGateway } from '../gateway/running-gateway.ts';
import { skip, startBrowser } from './browser.ts';

describe('The API reference in a browser', { skip }, async () => {
  if (skip) return;
  const running = await runGateway();
  const browser = await startBrowser();
  after(async () => {
    await browser.close();
    await running.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`is where the root leads, whole, without an error, in ${colorScheme}`, async () => {
      const page = await browser.newPage({ colorScheme });
      const faults: string[] = [];
      page.on('console', (message) => faults.push(message.text()));
      page.on('requestfailed', (request) => faults.push(request.url()));
      page.on('response', (response) => {
        if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
      });
      await page.goto(`${running.baseUrl}/`, { waitUntil: 'networkidle' });
      assert.equal(page.url(), `${running.baseUrl}/docs/`);
      assert.equal(await page.title(), 'Pastpaper: API reference');
      const text = (await page.textContent('body')) ?? '';
      for (const { message } of Object.values(apiErrors)) assert.ok(text.includes(message), message);
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      assert.equal(background, colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 23, 26)');
      assert.deepEqual(faults, []);
      await page.close();
    });
  }

  it('fits a phone without scrolling sideways', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    await page.goto(`${running.baseUrl}/docs/`);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
    await page.close();
  });

  it('links to years that the API knows', async () => {
    const page = await browser.newPage();
    await page.goto(`${running.baseUrl}/docs/`);
    const links = await page
      .locator('main a')
      .evaluateAll((anchors) => anchors.map((anchor) => String(anchor.getAttribute('href'))));
    assert.ok(links.length >= 4);
    for (const link of links) assert.equal((await fetch(running.baseUrl + link)).status, 200, link);
    await page.close();
  });
});
