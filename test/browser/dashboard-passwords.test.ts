import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { systemClock } from '../../gateway/clock.ts';
import { blockAccount } from '../../gateway/keys/accounts.ts';
import { resetLink } from '../../gateway/keys/service/people/reset-link.ts';
import { openMailbox } from '../gateway/keys/service/mailbox.ts';
import { runGateway } from '../gateway/running-gateway.ts';
import { skip, startBrowser } from './browser.ts';
import { onDashboard, signIn, signUp, somebody } from './person.ts';
import { openWatched } from './watched-page.ts';

describe('Passwords, where no mail is sent', { skip }, async () => {
  if (skip) return;
  const running = await runGateway({}, 'embedded');
  const { baseUrl, config, database } = running;
  const browser = await startBrowser();
  after(async () => {
    await browser.close();
    await running.close();
  });

  it('are reset by a link of the operator, once; the token leaves the address', async () => {
    const context = await browser.newContext();
    const { page, faults } = await openWatched(context, baseUrl);
    const person = somebody();
    await signUp(page, baseUrl, person);
    const { pathname, hash } = new URL(await resetLink(config, database, systemClock, person.email));

    await page.goto(baseUrl + pathname + hash);
    await page.getByRole('textbox', { name: 'New password' }).fill('another phrase');
    assert.equal(page.url(), `${baseUrl}/dashboard/reset-password/`);
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.getByText('Your password is changed.').waitFor();
    await page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await signIn(page, person);
    await page.getByText('Invalid email or password').waitFor();
    await signIn(page, { ...person, password: 'another phrase' });
    await onDashboard(page);

    await page.goto(baseUrl + pathname + hash);
    await page.getByRole('textbox', { name: 'New password' }).fill('a third phrase');
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.locator('.message:not(:empty)').waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  it('are not asked for by mail: the page says who makes a link', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/dashboard/forgot-password/`);
    await page.getByText('This service sends no mail').waitFor();
    assert.equal(await page.locator('form:visible').count(), 0);
    await page.close();
  });

  it('cannot be reset by a link that is broken, and the page says so', async () => {
    const page = await browser.newPage();
    for (const [search, sentence] of [
      ['?error=INVALID_TOKEN', 'This link does not work any more'],
      ['', 'This page needs the link that you got'],
    ]) {
      await page.goto(`${baseUrl}/dashboard/reset-password/${search}`);
      await page.getByText(sentence ?? '').waitFor();
      assert.equal(await page.locator('form:visible').count(), 0);
      assert.equal(page.url(), `${baseUrl}/dashboard/reset-password/`);
    }
    await page.close();
  });

  it('do not open a blocked account, and the page says why', async () => {
    const context = await browser.newContext();
    const { page, faults } = await openWatched(context, baseUrl);
    const person = somebody();
    await signUp(page, baseUrl, person);
    await blockAccount(database, systemClock, person.email);
    await page.reload();
    await page.waitForURL('**/dashboard/sign-in/');
    await signIn(page, person);
    await page.getByText('This account is blocked.').waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  it('can be read while they are typed', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/dashboard/sign-in/`);
    await page.getByRole('button', { name: 'Show the password' }).click();
    assert.equal(await page.getByRole('textbox', { name: 'Password' }).getAttribute('type'), 'text');
    await page.getByRole('button', { name: 'Show the password' }).click();
    assert.equal(await page.getByRole('textbox', { name: 'Password' }).getAttribute('type'), 'password');
    await page.close();
  });

  it('show why somebody came back from elsewhere, in words of the page alone', async () => {
    const page = await browser.newPage();
    for (const [code, sentence] of [
      ['access_denied', 'You did not allow it there'],
      ['TOKEN_EXPIRED', 'The link is too old'],
      ['<b>send us your password</b>', 'Signing in did not work'],
    ]) {
      await page.goto(`${baseUrl}/dashboard/?${new URLSearchParams({ error: code ?? '' })}`);
      await page.getByText(sentence ?? '').waitFor();
      assert.equal(page.url(), `${baseUrl}/dashboard/sign-in/`);
      assert.ok(!(await page.content()).includes('send us'));
    }
    await page.close();
  });
});

describe('Passwords, where mail is sent', { skip }, async () => {
  if (skip) return;
  const mailbox = await openMailbox();
  const running = await runGateway({ SMTP_URL: mailbox.url }, 'embedded');
  const { baseUrl } = running;
  const browser = await startBrowser();
  after(async () => {
    await browser.close();
    await running.close();
    await mailbox.close();
  });

  it('come with an address that is confirmed, and are chosen anew by a link', async () => {
    const context = await browser.newContext();
    const { page, faults } = await openWatched(context, baseUrl);
    const person = somebody();
    await page.goto(`${baseUrl}/dashboard/sign-up/`);
    await page.getByLabel('Email').fill(person.email);
    await page.getByRole('textbox', { name: 'New password' }).fill(person.password);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('heading', { name: 'Look for our mail' }).waitFor();
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
    await page.getByText('a mail with a link is on its way').waitFor();
    await page.goto((await mailbox.next(person.email)).link);
    await page.getByRole('textbox', { name: 'New password' }).fill('another phrase');
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await signIn(page, { ...person, password: 'another phrase' });
    await onDashboard(page);
    assert.deepEqual(faults, []);
    await context.close();
  });
});
