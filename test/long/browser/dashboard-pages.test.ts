import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import { openBrowser, openSite } from './browser.ts';
import { assertAccessible, assertFits, unfoldAll } from './page-checks.ts';
import { createKey, rowOf, signUp, somebody } from './person.ts';

type Response = (route: Route) => Promise<void>;

const passThrough: Response = (route) => route.fallback();

/** Responses of a service that is down. */
const outages: readonly Response[] = [
  (route) => route.abort('connectionrefused'),
  // The error page of a proxy.
  (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad</h1>' }),
  // HTML in place of JSON.
  (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<p>' }),
];

const outageMessage = 'The authentication service is not responding.';

describe('Every page of the dashboard', async () => {
  const browser = await openBrowser();
  const { baseUrl, page } = await openSite(browser);

  it('is accessible with names and an address of maximum length', async () => {
    const { email, password } = somebody();
    await signUp(page, baseUrl, { email: `${'long-name'.repeat(7)}.${email}`, password });
    for (const name of [
      'gone',
      'ends',
      'A name that is as long as a name may be. '.repeat(3).slice(0, 99),
    ])
      await createKey(page, name);
    await assertFits(page, 'a new key');
    await rowOf(page, 'gone').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('1 key expired or revoked').waitFor();
    await assertFits(page, 'the dashboard');
    await unfoldAll(page);
    await assertAccessible(page, 'the dashboard, unfolded');
    await page.getByRole('button', { name: 'New key' }).click();
    await assertAccessible(page, 'the dialog New key', 'dialog[open]');
    await page.getByRole('button', { name: 'Cancel' }).click();
    for (const name of ['Rotate', 'Revoke']) {
      await rowOf(page, 'ends').getByRole('button', { name }).click();
      await assertAccessible(page, `the dialog ${name}`, 'dialog[open]');
      await page.getByRole('button', { name: 'Cancel' }).click();
    }
  });

  describe('when the authentication service is down', async () => {
    const page = await browser.newPage({ baseURL: baseUrl });
    await signUp(page, baseUrl, somebody());
    let respond = passThrough;
    await page.route('**/auth/**', (route) => respond(route));
    beforeEach(() => {
      respond = passThrough;
    });

    for (const [path, shown] of [
      ['', 'Create your first key'],
      ['account/', 'Password'],
      ['sign-in/', 'Sign in'],
      // A user who is signed in already continues to the dashboard.
      ['sign-up/', 'Create your first key'],
      ['forgot-password/', 'Forgot your password?'],
      ['reset-password/#token=one', 'Choose a new password'],
    ] as const) {
      it(`shows an error on /dashboard/${path} for every kind of outage, and retries`, async () => {
        const retry = page.getByRole('button', { name: 'Retry' });
        for (const [index, outage] of outages.entries()) {
          respond = outage;
          if (index === 0) await page.goto(`/dashboard/${path}`);
          else {
            // Emptied, so that the message is that of this outage.
            await page.evaluate('document.querySelector("#load-error-text").textContent = ""');
            await retry.click();
          }
          await page.getByText(outageMessage).waitFor();
          assert.equal(await page.locator('.loading').isVisible(), false);
        }
        respond = passThrough;
        await retry.click();
        await page.getByText(outageMessage).waitFor({ state: 'hidden' });
        await page.getByRole('heading', { name: shown }).waitFor();
      });
    }

    it('shows the outage in the form and keeps the input', async () => {
      await page.goto('/dashboard/');
      await page.getByRole('heading', { name: 'Usage' }).waitFor();
      respond = (route) => route.abort();
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByLabel('Name', { exact: true }).fill('kept');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText(outageMessage).waitFor();
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'kept');
      respond = passThrough;
      await page.getByRole('button', { name: 'Create key' }).click();
      await rowOf(page, 'kept').waitFor();
    });
  });
});
