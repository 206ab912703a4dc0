import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { runGateway } from '../gateway/running-gateway.ts';
import { accessibilityFaults } from './axe.ts';
import { skip, startBrowser } from './browser.ts';
import { makeKey, onDashboard, rowOf, signUp, somebody } from './person.ts';
import { openWatched } from './watched-page.ts';
import { windows } from './windows.ts';

const open = [
  '/dashboard/sign-in/',
  '/dashboard/sign-in/?error=access_denied',
  '/dashboard/sign-up/',
  '/dashboard/forgot-password/',
  '/dashboard/reset-password/#token=one',
  '/dashboard/reset-password/?error=INVALID_TOKEN',
  '/docs/',
];

describe('Every page of the dashboard', { skip }, async () => {
  if (skip) return;
  const running = await runGateway({}, 'embedded');
  const { baseUrl } = running;
  const browser = await startBrowser();
  const session = await signedIn();
  after(async () => {
    await browser.close();
    await running.close();
  });

  /** The cookies of somebody with keys, whose names and address are as long as they may be. */
  async function signedIn() {
    const context = await browser.newContext();
    const page = await context.newPage();
    const { email, password } = somebody();
    await signUp(page, baseUrl, { email: `${'long-name'.repeat(7)}.${email}`, password });
    for (const name of ['gone', 'ends', 'A name that is as long as a name may be. '.repeat(3).slice(0, 99)]) {
      await makeKey(page, name);
    }
    await rowOf(page, 'gone').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('1 key expired or revoked').waitFor();
    const state = await context.storageState();
    await context.close();
    return state;
  }

  for (const { width, colorScheme } of windows) {
    it(`is fit for all, and as wide as the window: ${width} pixels, ${colorScheme}`, async () => {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width, height: 740 },
        storageState: session,
      });
      const { page, faults } = await openWatched(context, baseUrl);
      for (const path of open) {
        await page.goto(baseUrl + path, { waitUntil: 'networkidle' });
        await fits(page, path, width);
      }
      await page.goto(`${baseUrl}/dashboard/`);
      await onDashboard(page);
      await fits(page, 'the dashboard', width);
      for (const summary of await page.locator('summary:visible').all()) await summary.click();
      await page.getByLabel('Expires').selectOption('date');
      await fits(page, 'the dashboard, unfolded', width);
      for (const name of ['Rotate', 'Revoke']) {
        await rowOf(page, 'ends').getByRole('button', { name }).click();
        await fits(page, `the dialog ${name}`, width);
        await page.getByRole('button', { name: 'Cancel' }).click();
      }
      await page.getByLabel('Expires').selectOption('30');
      await makeKey(page, `${colorScheme} ${width}`);
      await fits(page, 'a new key', width);
      assert.deepEqual(faults, []);
      await context.close();
    });
  }

  it('says without scripts what it needs', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    for (const path of ['/dashboard/', ...open.filter((path) => path.startsWith('/dashboard/'))]) {
      await page.goto(baseUrl + path);
      assert.ok(await page.locator('noscript p').isVisible(), path);
      for (const button of await page.locator('button[type=submit]:visible').all())
        assert.ok(await button.isDisabled(), path);
    }
    await context.close();
  });

  it('tells password managers what its fields are', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    for (const [path, fields] of [
      ['sign-in', ['email', 'current-password']],
      ['sign-up', ['email', 'new-password']],
      ['reset-password/#token=one', ['new-password']],
    ] as const) {
      await page.goto(`${baseUrl}/dashboard/${path}`, { waitUntil: 'networkidle' });
      const found = await page
        .locator('form input')
        .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('autocomplete')));
      assert.deepEqual(found, fields);
    }
    await context.close();
  });

  it('is a page that leads to the reference, which leads back', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/docs/`);
    await page.getByRole('link', { name: 'Get a key' }).click();
    await page.waitForURL('**/dashboard/sign-in/');
    await page.getByRole('link', { name: 'Reference' }).click();
    await page.waitForURL('**/docs/');
    await page.close();
  });
});

async function fits(page: Page, name: string, width: number): Promise<void> {
  assert.deepEqual(await accessibilityFaults(page), [], name);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, name);
}
