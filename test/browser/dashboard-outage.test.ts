import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import { skip } from './browser.ts';
import { openDashboard } from './open-dashboard.ts';
import { rowOf, signUp, somebody } from './person.ts';

/** How a service is down, as a browser sees it. */
const outages: readonly (readonly [string, (route: Route) => Promise<void>])[] = [
  ['no connection', (route) => route.abort('connectionrefused')],
  [
    '502 of a proxy',
    (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad</h1>' }),
  ],
  [
    'a page in place of JSON',
    (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<p>' }),
  ],
];

const sentence = 'The authentication service is not answering.';
const authentication = '**/auth/**';

describe('The dashboard, when the authentication service is down', { skip }, async () => {
  if (skip) return;
  const { baseUrl, browser } = await openDashboard();

  for (const [name, answer] of outages) {
    it(`says so on every page, and loads again when asked: ${name}`, async () => {
      const page = await browser.newPage();
      for (const [path, shown] of [
        ['', 'Make a key'],
        ['sign-in/', 'Sign in'],
        ['sign-up/', 'Sign up'],
        ['forgot-password/', 'Forgot your password?'],
        ['reset-password/#token=one', 'Choose a new password'],
      ] as const) {
        if (path === '') await signUp(page, baseUrl, somebody());
        await page.route(authentication, answer);
        await page.goto(`${baseUrl}/dashboard/${path}`);
        await page.getByText(sentence).waitFor();
        assert.equal(await page.locator('.loading').isVisible(), false);
        // The sentence stands there until the page asks again: only then is it the answer to that.
        const asked = page.waitForRequest(authentication);
        await page.getByRole('button', { name: 'Retry' }).click();
        await asked;
        await page.getByText(sentence).waitFor();
        await page.unroute(authentication);
        await page.getByRole('button', { name: 'Retry' }).click();
        await page.getByText(sentence).waitFor({ state: 'hidden' });
        await page.getByRole('heading', { name: shown }).waitFor();
      }
      await page.close();
    });
  }

  it('says so where something was asked, and keeps what was typed', async () => {
    const page = await browser.newPage();
    await signUp(page, baseUrl, somebody());
    await page.route(authentication, (route) => route.abort());
    await page.getByLabel('Name', { exact: true }).fill('kept');
    await page.getByRole('button', { name: 'Make key' }).click();
    await page.getByText(sentence).waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'kept');
    await page.unroute(authentication);
    await page.getByRole('button', { name: 'Make key' }).click();
    await rowOf(page, 'kept').waitFor();
    await page.close();
  });

  it('tells how long to wait after too many tries', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/dashboard/sign-in/`);
    const tooMany = { status: 429, json: { error: 'Too many attempts. Try again in 30 seconds.' } };
    await page.route('**/auth/sign-in/email', (route) => route.fulfill(tooMany));
    await page.getByLabel('Email').fill('someone@example.org');
    await page.getByRole('textbox', { name: 'Password' }).fill('a password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Too many attempts. Try again in 30 seconds.').waitFor();
    await page.close();
  });

  it('says that accounts are elsewhere where the gateway has none', async () => {
    const page = await browser.newPage();
    await page.route(authentication, (route) =>
      route.fulfill({ status: 404, json: { error: 'File not found' } }),
    );
    await page.goto(`${baseUrl}/dashboard/`);
    await page.getByText('There are no accounts at this address.').waitFor();
    await page.close();
  });
});
