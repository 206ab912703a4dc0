import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { runGateway } from './gateway/running-gateway.ts';
import { skip, startBrowser } from './long/browser/browser.ts';

it('the reference and the dashboard work in a browser', { skip }, async () => {
  const [gateway, browser] = await Promise.all([runGateway({}, 'in-real-time'), startBrowser()]);
  after(() => Promise.all([browser.close(), gateway.close()]));
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`${gateway.baseUrl}/docs/reference/`);
  assert.match((await page.textContent('h1')) ?? '', /API/);
  await page.goto(`${gateway.baseUrl}/dashboard/`);
  await page.waitForURL('**/dashboard/sign-in/**');
  assert.ok(await page.isVisible('input[type=password]'));
  assert.deepEqual(errors, []);
});
