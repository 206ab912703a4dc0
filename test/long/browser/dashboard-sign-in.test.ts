import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createResetLink } from '../../../gateway/accounts/better-auth.ts';
import { realSystem } from '../../../gateway/clock.ts';
import { openMailbox } from '../../gateway/accounts/users/mailbox.ts';
import { openBrowser, openSite } from './browser.ts';
import { onDashboard, signIn, signUp, somebody } from './person.ts';

describe('Signing in to the dashboard', async () => {
  const browser = await openBrowser();

  describe('with passwords, without email', async () => {
    const { baseUrl, config, database, page } = await openSite(browser);

    it('are reset by a link of the operator, once, and the token is removed from the URL', async () => {
      const person = somebody();
      await signUp(page, baseUrl, person);
      const { pathname, hash } = new URL(
        await createResetLink(config, database, realSystem, person.email),
      );

      await page.goto(baseUrl + pathname + hash);
      await page.getByRole('textbox', { name: 'New password' }).fill('another long phrase');
      assert.equal(page.url(), `${baseUrl}/dashboard/reset-password/`);
      await page.getByRole('button', { name: 'Save the password' }).click();
      await page.getByText('Your password has changed.').waitFor();
      await page.getByRole('link', { name: 'Sign in', exact: true }).click();
      await signIn(page, person);
      await page.getByText('Invalid email or password').waitFor();
      await signIn(page, { ...person, password: 'another long phrase' });
      await onDashboard(page);

      await page.goto(baseUrl + pathname + hash);
      await page.getByRole('textbox', { name: 'New password' }).fill('yet another long phrase');
      await page.getByRole('button', { name: 'Save the password' }).click();
      await page.getByText('This link no longer works').waitFor();
      await page.getByText('for a link to choose a new password').waitFor();
    });

    it('are not reset by email: the page says what to ask the operator for', async () => {
      await page.goto('/dashboard/forgot-password/');
      await page.getByText('for a link to choose a new password').waitFor();
      await page.getByText('accounts reset-link').waitFor();
      assert.equal(await page.locator('form:visible').count(), 0);
    });

    it('have errors of links and providers shown, never the text of the URL', async () => {
      for (const [code, sentence] of [
        ['access_denied', 'You did not allow access there'],
        ['TOKEN_EXPIRED', 'The link has expired'],
        ['<b>send us your password</b>', 'Signing in failed'],
      ]) {
        await page.goto(`/dashboard/?${new URLSearchParams({ error: code ?? '' })}`);
        await page.getByText(sentence ?? '').waitFor();
        assert.equal(page.url(), `${baseUrl}/dashboard/sign-in/`);
        assert.ok(!(await page.content()).includes('send us'));
      }
    });
  });

  describe('with passwords and email', async () => {
    const mailbox = await openMailbox();
    after(() => mailbox.close());
    const { page } = await openSite(browser, { SMTP_URL: mailbox.url });

    it('require a confirmed address, and are reset by a link', async () => {
      const person = somebody();
      await page.goto('/dashboard/sign-up/');
      await page.getByLabel('Email').fill(person.email);
      await page.getByRole('textbox', { name: 'New password' }).fill(person.password);
      await page.getByRole('button', { name: 'Sign up' }).click();
      await page.getByRole('heading', { name: 'Check your email' }).waitFor();
      await page.getByText(person.email).waitFor();
      await page.goto((await mailbox.next(person.email)).link);
      await page.waitForURL('**/dashboard/sign-in/');
      await signIn(page, person);
      await onDashboard(page);

      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL('**/dashboard/sign-in/');
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByLabel('Email').fill(person.email);
      await page.getByRole('button', { name: 'Send the link' }).click();
      await page.getByText('we sent an email with a link').waitFor();
      await page.goto((await mailbox.next(person.email)).link);
      await page.getByRole('textbox', { name: 'New password' }).fill('another long phrase');
      await page.getByRole('button', { name: 'Save the password' }).click();
      await page.getByRole('link', { name: 'Sign in', exact: true }).click();
      await signIn(page, { ...person, password: 'another long phrase' });
      await onDashboard(page);
      await page.goto('/dashboard/reset-password/');
      await page.getByRole('link', { name: 'Get a new link' }).click();
      await page.getByRole('button', { name: 'Send the link' }).waitFor();
    });
  });

  describe('with another provider', async () => {
    const settings = { GITHUB_CLIENT_ID: 'made-up-client', GITHUB_CLIENT_SECRET: 'made-up' };
    const { page, forgetErrors } = await openSite(browser, settings);

    for (const path of ['sign-in', 'sign-up']) {
      it(`links to it from ${path}, without a referrer`, async () => {
        let referer: string | undefined = 'not asked';
        await page.route('https://github.com/**', async (route) => {
          referer = route.request().headers()['referer'];
          await route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' });
        });
        await page.goto(`/dashboard/${path}/`);
        await page.getByRole('button', { name: 'Continue with GitHub' }).click();
        await page.waitForURL('https://github.com/**');
        assert.equal(new URL(page.url()).searchParams.get('client_id'), 'made-up-client');
        assert.equal(referer, undefined);
        // The page of the provider.
        forgetErrors();
      });
    }
  });
});
