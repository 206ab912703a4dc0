import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { runGateway } from '../gateway/running-gateway.ts';
import { skip, startBrowser } from './browser.ts';

describe('Signing in with another service', { skip }, async () => {
  if (skip) return;
  const settings = { GITHUB_CLIENT_ID: 'made-up-client', GITHUB_CLIENT_SECRET: 'made-up' };
  const running = await runGateway(settings, 'embedded');
  const { baseUrl } = running;
  const browser = await startBrowser();
  after(async () => {
    await browser.close();
    await running.close();
  });

  for (const path of ['sign-in', 'sign-up']) {
    it(`leads to it from ${path}, by a button of its name, and tells it no address of ours`, async () => {
      const page = await browser.newPage();
      let referer: string | undefined = 'not asked';
      await page.route('https://github.com/**', async (route) => {
        referer = route.request().headers()['referer'];
        await route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' });
      });
      await page.goto(`${baseUrl}/dashboard/${path}/`);
      await page.getByRole('button', { name: 'Continue with GitHub' }).click();
      await page.waitForURL('https://github.com/**');
      assert.equal(new URL(page.url()).searchParams.get('client_id'), 'made-up-client');
      assert.equal(referer, undefined);
      await page.close();
    });
  }

  it('says so when it cannot begin', async () => {
    const page = await browser.newPage();
    await page.route('**/auth/sign-in/social', (route) =>
      route.fulfill({ status: 403, json: { error: 'Not from here.' } }),
    );
    await page.goto(`${baseUrl}/dashboard/sign-in/`);
    await page.getByRole('button', { name: 'Continue with GitHub' }).click();
    await page.getByText('Not from here.').waitFor();
    await page.close();
  });
});
