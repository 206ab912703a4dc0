import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import { skip } from './browser.ts';
import { assertAccessible, assertFits } from './fits.ts';
import { openBrowser, openSite } from './open-site.ts';
import { createKey, rowOf, signUp, somebody } from './person.ts';
import { openWatched } from './watched-page.ts';

/** Pages for users who are not signed in, and the `autocomplete` values of their fields. */
const publicPages = {
  '/dashboard/sign-in/?error=access_denied': ['email', 'current-password'],
  '/dashboard/sign-up/': ['email', 'new-password'],
  '/dashboard/forgot-password/': ['email'],
  '/dashboard/reset-password/#token=one': ['new-password'],
  '/dashboard/reset-password/?error=INVALID_TOKEN': ['new-password'],
};

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

describe('Every page of the dashboard', { skip }, async () => {
  if (skip) return;
  const browser = await openBrowser();
  const { baseUrl, page, errors, open, reset } = await openSite(browser);
  beforeEach(reset);

  for (const [path, fields] of Object.entries(publicPages)) {
    it(`${path} is accessible, narrow and wide, light and dark, and has autocomplete values`, async () => {
      await open(path);
      await assertAccessible(page, path);
      const found = await page
        .locator('form input')
        .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('autocomplete')));
      assert.deepEqual(found, fields);
      assert.deepEqual(errors, []);
    });
  }

  it('is accessible with names and an address of maximum length', async () => {
    const { email, password } = somebody();
    await signUp(page, baseUrl, { email: `${'long-name'.repeat(7)}.${email}`, password });
    for (const name of ['gone', 'ends', 'A name that is as long as a name may be. '.repeat(3).slice(0, 99)])
      await createKey(page, name);
    await assertFits(page, 'a new key');
    await rowOf(page, 'gone').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('1 key expired or revoked').waitFor();
    await assertFits(page, 'the dashboard');
    await createKey(page, 'new');
    for (const summary of await page.locator('summary:visible').all()) await summary.click();
    await page.getByLabel('Expires').selectOption('date');
    await assertAccessible(page, 'the dashboard with a new key, unfolded');
    for (const name of ['Rotate', 'Revoke']) {
      await rowOf(page, 'ends').getByRole('button', { name }).click();
      await assertAccessible(page, `the dialog ${name}`, 'dialog[open]');
      await page.getByRole('button', { name: 'Cancel' }).click();
    }
    assert.deepEqual(errors, []);
  });

  it('says that it needs JavaScript', async () => {
    const context = await browser.newContext({ baseURL: baseUrl, javaScriptEnabled: false });
    const page = await context.newPage();
    for (const path of ['/dashboard/', '/dashboard/sign-in/', ...Object.keys(publicPages)]) {
      await page.goto(path);
      assert.ok(await page.locator('noscript p').isVisible(), path);
      for (const button of await page.locator('button[type=submit]:visible').all())
        assert.ok(await button.isDisabled(), path);
    }
    await context.close();
  });

  it('is linked from the landing page, and links to the reference', async () => {
    await page.goto('/docs/');
    await page.getByRole('link', { name: 'Get a key' }).click();
    await page.waitForURL('**/dashboard/sign-up/');
    await page.getByRole('link', { name: 'Reference' }).click();
    await page.waitForURL('**/docs/reference/');
  });

  describe('when the authentication service is down', async () => {
    const { context, page } = await openWatched(browser, baseUrl);
    after(() => context.close());
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
      await page.getByLabel('Name', { exact: true }).fill('kept');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText(outageMessage).waitFor();
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'kept');
      respond = passThrough;
      await page.getByRole('button', { name: 'Create key' }).click();
      await rowOf(page, 'kept').waitFor();
    });

    it('shows how long to wait after too many attempts', async () => {
      const tooMany = { status: 429, json: { error: 'Too many attempts. Try again in 30 seconds.' } };
      respond = (route) =>
        route.request().url().endsWith('/auth/sign-in/email') ? route.fulfill(tooMany) : route.fallback();
      await page.goto('/dashboard/sign-in/');
      await page.getByLabel('Email').fill('someone@example.org');
      await page.getByRole('textbox', { name: 'Password' }).fill('a password');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('Too many attempts. Try again in 30 seconds.').waitFor();
    });

    it('says where to find accounts if the gateway has none', async () => {
      respond = (route) => route.fulfill({ status: 404, json: { error: 'File not found' } });
      await page.goto('/dashboard/');
      await page.getByText('There are no accounts at this address.').waitFor();
    });
  });
});
