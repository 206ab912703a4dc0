import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openBrowser, openSite } from './browser.ts';

/** Runs before the scripts of a page, and adds up how far its parts move. */
const observe = `
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) globalThis.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** What Web Vitals call good is less. */
const most = 0.1;

describe('The layout of a page', async () => {
  const { page, open } = await openSite(await openBrowser());
  await page.addInitScript(observe);
  const paths = ['/docs/', '/docs/reference/', '/docs/catalogue/', '/dashboard/sign-in/'];
  for (const path of paths)
    it(`hardly moves while it loads: ${path}`, async () => {
      await open(path);
      const shift: number = await page.evaluate('shift');
      assert.ok(shift < most, `${shift}`);
    });
});
