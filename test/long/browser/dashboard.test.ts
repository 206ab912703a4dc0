import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { listAccounts } from '../../../gateway/accounts/accounts.ts';
import { realSystem } from '../../../gateway/clock.ts';
import { addUsage } from '../../gateway/accounts/add-usage.ts';
import { waitUntil } from '../../wait-until.ts';
import { openBrowser, openSite } from './browser.ts';
import {
  assertAccessible,
  clipboard,
  clipboardPermissions,
  focused,
  tabAndPress,
  tabTo,
} from './page-checks.ts';
import {
  createKey,
  onDashboard,
  rowOf,
  showKey,
  shownKey,
  signIn,
  signUp,
  somebody,
} from './person.ts';

describe('The dashboard in a browser', async () => {
  const browser = await openBrowser();
  const { baseUrl, database, context, page, open } = await openSite(
    browser,
    {},
    clipboardPermissions,
  );
  const person = somebody();
  await signUp(page, baseUrl, person);
  const session = await context.cookies();

  /** Opens the dashboard of the user who signed up before. */
  async function openDashboard(): Promise<void> {
    await context.addCookies(session);
    await page.goto('/dashboard/');
    await onDashboard(page);
  }

  it('signs up, downloads with a new key, and gets 403 with the revoked key, by keyboard alone', async () => {
    const { email, password } = somebody();
    await open('/dashboard/sign-up/');
    await tabTo(page, 'Email');
    await page.keyboard.type(email);
    await tabTo(page, 'New password');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await onDashboard(page);
    await page.getByRole('heading', { name: 'Create your first key' }).waitFor();
    assert.equal(await page.getByRole('region', { name: 'Keys, table' }).count(), 0);
    await page.getByText('No requests this month').waitFor();

    await tabAndPress(page, 'New key');
    assert.equal(await focused(page), 'Name');
    await page.keyboard.press('Enter');
    await page.getByText('Enter the name.').waitFor();
    await assertAccessible(page, 'a form with an error', 'dialog[open]');
    await page.keyboard.type('laptop');
    await tabAndPress(page, 'Create key', 'Space');
    await page.getByRole('heading', { name: '“laptop” is ready' }).waitFor();
    assert.equal(await focused(page), '“laptop” is ready');
    const key = await shownKey(page);
    assert.match(key, /^pfx_[0-9A-Za-z]+$/);
    await rowOf(page, 'laptop').getByText(key.slice(0, 8)).waitFor();
    await assertAccessible(page, 'a new key', 'dialog[open]');
    await tabAndPress(page, 'Copy the key');
    await page.getByText('Key copied.').waitFor();
    assert.equal(await clipboard(page), key);
    await tabAndPress(page, 'Copy the request', 'Space');
    await page.getByText('Request copied.').waitFor();
    const [, bearer, url = ''] =
      /^curl -H "Authorization: Bearer (\S+)" (http\S+)$/.exec(await clipboard(page)) ?? [];
    assert.equal(bearer, key);
    assert.equal(await statusOf(url, key), 200);
    await tabAndPress(page, 'I have copied it');
    assert.equal(await focused(page), 'Your keys');
    assert.ok(!(await page.content()).includes(key));

    await reloadUntil(page, '1 of 1,000 requests');
    await reloadUntil(page, 'just now', '#live-keys');

    await tabAndPress(page, 'Revoke laptop');
    assert.equal(await focused(page), 'Cancel');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    assert.equal(await focused(page), 'Revoke laptop');
    await page.keyboard.press('Space');
    await tabAndPress(page, 'Revoke key');
    await page.getByText('“laptop” is revoked.').waitFor();
    assert.equal(await focused(page), 'Your keys');
    assert.equal(await rowOf(page, 'laptop').count(), 0);
    await page.getByText('1 key expired or revoked').click();
    await page.locator('#ended-keys').getByText('Revoked', { exact: true }).first().waitFor();
    assert.equal(await statusOf(url, key), 403);
    assert.deepEqual(await keptIn(page), []);
  });

  it('shows a new key once, and stores it nowhere; a link leads to the reference, where it can be used', async () => {
    await openDashboard();
    const key = await showKey(page, 'tried');
    const [reference] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Try it in the reference' }).click(),
    ]);
    const field = reference.getByLabel('API key');
    await field.fill(key);
    await reference.getByRole('button', { name: 'Send' }).click();
    await reference.getByText(/^200 OK/).waitFor();
    assert.deepEqual(await keptIn(page), []);
    assert.deepEqual(await keptIn(reference), ['?try']);
    await reference.close();
  });

  it('shows a bar for each day, at least 2 pixels high if there was a request', async () => {
    await page.route('**/auth/account', async (route) => {
      const response = await route.fetch();
      const account = await response.json();
      const none = { rejectedByRate: 0, rejectedByQuota: 0 };
      const days = [0, 1, 4000, 1000].map((used, index) => ({
        day: `2026-11-0${index + 1}`,
        ...none,
        used,
      }));
      const usage = {
        ...account.usage,
        month: '2026-11',
        used: 5001,
        days,
        keys: [{ id: '', name: null, start: null, ...none, used: 5001 }],
      };
      await route.fulfill({ response, json: { ...account, usage } });
    });
    await openDashboard();
    const boxesOf = async (part: string) => {
      const all = await page.locator(`#plot ${part}`).all();
      return Promise.all(all.map(async (one) => (await one.boundingBox()) ?? assert.fail(part)));
    };
    const [bars, slots] = [await boxesOf('.used'), await boxesOf('.day')];
    const scale = await page.locator('#plot text').allTextContents();
    const title = await page.locator('#plot title').nth(2).textContent();
    await page.unroute('**/auth/account');
    const highest = bars[1]?.height ?? 0;
    assert.deepEqual(
      bars.map(({ height }) => Math.round(height)),
      [2, highest, highest / 4].map(Math.round),
    );
    assert.ok(highest > 50, `${highest} pixels`);
    for (const [index, { x, width }] of bars.entries()) {
      const slot = slots[index + 1];
      const isInside = slot && x > slot.x && x + width < slot.x + slot.width;
      assert.ok(isInside, `${x} ${width} ${JSON.stringify(slot)}`);
    }
    assert.deepEqual(scale, ['0', '2,000', '4,000', '1', '8', '15', '22', '30']);
    assert.equal(title, '3 November 2026: 4,000 requests');
    assert.equal(await page.locator('#plot .limit').count(), 1);
    await page.getByText('The dashed line is the quota by day: 33.').waitFor();
  });

  it('rotates a key with and without an overlap', async () => {
    await openDashboard();
    const first = await createKey(page, 'import');
    const url = await exampleOf(page, baseUrl);

    await rotate(page, '1 hour');
    const second = await shownKey(page);
    assert.notEqual(second, first);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    for (const key of [first, second]) assert.equal(await statusOf(url, key), 200);
    await rowOf(page, 'import').nth(1).waitFor();
    const rows = await rowOf(page, 'import').allInnerTexts();
    const [created, replaced] = rows.map((row) => row.replace(/\s+/g, ' '));
    assert.match(`${created}`, new RegExp(`Active replaces ${first.slice(0, 8)}…`));
    assert.match(`${replaced}`, new RegExp(`Replaced by ${second.slice(0, 8)}….* \\(in 1 hour\\)`));

    await rotate(page, 'Not at all');
    const third = await shownKey(page);
    // The gateway caches the check of a key for a second.
    await waitUntil(async () => (await statusOf(url, second)) === 403);
    assert.equal(await statusOf(url, third), 200);
  });

  it('lists the sessions of the user, and ends another one', async () => {
    const user = somebody();
    const elsewhere = await browser.newContext({
      userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0',
    });
    const otherPage = await elsewhere.newPage();
    await signUp(otherPage, baseUrl, user);
    await page.goto('/dashboard/sign-in/');
    await signIn(page, user);
    await onDashboard(page);
    await page.getByRole('link', { name: user.email }).click();
    const rows = page.locator('#sessions > tr');
    await rows.nth(1).waitFor();
    const own = rows.filter({ hasText: 'This browser' });
    await own.getByRole('rowheader', { name: /^Chrome on / }).waitFor();
    assert.equal(await own.getByRole('button').count(), 0);
    await assertAccessible(page, 'sessions', '[aria-labelledby=sessions-title]');
    await tabAndPress(page, 'End the session in Firefox on Windows');
    await page.getByText('The session in Firefox on Windows has ended.').waitFor();
    assert.equal(await focused(page), 'Sessions');
    assert.equal(await rows.count(), 1);
    await otherPage.reload();
    await otherPage.waitForURL('**/dashboard/sign-in/');
    await elsewhere.close();
  });

  it('changes the password, and deletes the account with its keys', async () => {
    const user = somebody();
    await signUp(page, baseUrl, user);
    const key = await createKey(page, 'doomed');
    const url = await exampleOf(page, baseUrl);
    await open('/dashboard/account/');
    await assertAccessible(page, 'the account');
    await page.getByLabel('Current password').fill('not the right one');
    await page.getByLabel('New password').fill('another long phrase');
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.getByText('The current password is wrong.').waitFor();
    await page.getByLabel('Current password').fill(user.password);
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.getByText('Your password has changed.').waitFor();

    await page.getByText('Deletes your account with 1 active key').waitFor();
    await tabAndPress(page, 'Delete account…');
    assert.equal(await focused(page), 'Cancel');
    await assertAccessible(page, 'the dialog Delete', 'dialog[open]');
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('another long phrase');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/sign-in/');
    assert.equal(await statusOf(url, key), 403);
    await signIn(page, { ...user, password: 'another long phrase' });
    await page.getByText('Invalid email or password').waitFor();
  });

  it('says what a used quota means, and shows earlier months', async () => {
    const user = somebody();
    await signUp(page, baseUrl, user);
    const { id = '' } =
      (await listAccounts(database, realSystem)).find(({ email }) => email === user.email) ?? {};
    const now = new Date();
    const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15));
    const [today = '', earlier = ''] = [now, before].map((date) => date.toISOString().slice(0, 10));
    await addUsage(database, [
      { account: id, day: today, used: 1000, rejectedByQuota: 7 },
      { account: id, day: earlier, used: 12, rejectedByRate: 3 },
    ]);
    await database
      .updateTable('accounts')
      .set({ createdAt: before.getTime() })
      .where('id', '=', id)
      .execute();
    await open('/dashboard/');
    await page
      .getByText(
        /^You have used the quota of this month\. Requests get 429 until it renews on 1 \w+ 20\d\d at 00:00 UTC, in /,
      )
      .waitFor();
    const limits = (await page.locator('[aria-labelledby=limits-title]').innerText()).replace(
      /\s+/g,
      ' ',
    );
    const seconds = Number(/Retry-After: (\d+) RateLimit: "quota";r=0;t=\1,/.exec(limits)?.[1]);
    const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
    assert.ok(Math.abs(seconds - (end - Date.now()) / 1000) < 60, limits);
    assert.doesNotMatch(limits, /Retry-After: 1 /);
    await assertAccessible(page, 'the dashboard with a used quota');
    await page.getByLabel('Month').selectOption({ index: 1 });
    await page.getByText(/^12 requests$/).waitFor();
    await page.getByText('Show data by day').click();
    await page.getByRole('row', { name: / 12 3 0$/ }).waitFor();
    assert.equal(await page.getByText('You have used the quota').isVisible(), false);
  });
});

/** Usage is written with a delay. */
async function reloadUntil(page: Page, text: string, within = 'main'): Promise<void> {
  do {
    await page.reload();
    await onDashboard(page);
  } while (!(await page.locator(within).innerText()).replace(/\s+/g, ' ').includes(text));
}

async function rotate(page: Page, overlap: string): Promise<void> {
  // A rotated key has no button to rotate it.
  await page.getByRole('button', { name: 'Rotate import' }).click();
  assert.equal(await focused(page), '1 day');
  await page.getByRole('radio', { name: overlap }).check();
  await page.getByRole('button', { name: 'Rotate key' }).click();
  await page.getByRole('heading', { name: '“import” has a new key' }).waitFor();
}

/** Downloads a paper, also if the rate limit is exceeded at first. */
async function statusOf(url: string, key: string): Promise<number> {
  for (;;) {
    const { status } = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
    if (status !== 429) return status;
    await delay(100);
  }
}

/** The URL of the paper that the page shows as an example. */
async function exampleOf(page: Page, baseUrl: string): Promise<string> {
  return baseUrl + (await page.locator('main').getAttribute('data-example'));
}

/** Returns what the page left in storage or in the URL. */
function keptIn(page: Page): Promise<unknown[]> {
  return page.evaluate(
    '[...Object.keys(localStorage), ...Object.keys(sessionStorage), location.search].filter(Boolean)',
  );
}
