import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { skip } from './browser.ts';
import { openDashboard } from './open-dashboard.ts';
import { makeKey, onDashboard, rowOf, signUp, somebody } from './person.ts';
import { focused, tabTo } from './tab-to.ts';
import { openWatched } from './watched-page.ts';

describe('The dashboard by keyboard', { skip }, async () => {
  if (skip) return;
  const { baseUrl, browser } = await openDashboard();

  it('is used without a mouse, from the sign-up to a made, copied and revoked key', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page, faults } = await openWatched(context, baseUrl);
    const { email, password } = somebody();
    await page.goto(`${baseUrl}/dashboard/sign-up/`, { waitUntil: 'networkidle' });
    await tabTo(page, 'Email');
    await page.keyboard.type(email);
    await tabTo(page, 'New password');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await onDashboard(page);

    await tabTo(page, 'Name');
    await page.keyboard.type('by hand');
    await tabTo(page, 'Make key');
    await page.keyboard.press('Space');
    await page.getByRole('heading', { name: '“by hand” is ready' }).waitFor();
    assert.equal(await focused(page), '“by hand” is ready');
    const key = await page.locator('#new-key-text').textContent();
    await tabTo(page, 'Copy the key');
    await page.keyboard.press('Enter');
    await page.getByText('Key copied.').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key);
    await tabTo(page, 'Copy the request');
    await page.keyboard.press('Space');
    await page.getByText('Request copied.').waitFor();
    assert.equal(
      await page.evaluate('navigator.clipboard.readText()'),
      await page.locator('#new-key-curl').textContent(),
    );
    await tabTo(page, 'I have copied it');
    await page.keyboard.press('Enter');
    assert.equal(await focused(page), 'Your keys');
    assert.ok(!(await page.content()).includes(String(key)));

    await tabTo(page, 'Revoke by hand');
    await page.keyboard.press('Enter');
    assert.equal(await focused(page), 'Cancel');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    assert.equal(await focused(page), 'Revoke by hand');
    await page.keyboard.press('Space');
    await tabTo(page, 'Revoke key');
    await page.keyboard.press('Enter');
    await page.getByText('“by hand” is revoked.').waitFor();
    assert.equal(await focused(page), 'Your keys');
    assert.deepEqual(faults, []);
    await context.close();
  });

  it('keeps the focus in a dialog, and gives it back', async () => {
    const context = await browser.newContext();
    const { page, faults } = await openWatched(context, baseUrl);
    await signUp(page, baseUrl, somebody());
    await makeKey(page, 'kept');
    await rowOf(page, 'kept').getByRole('button', { name: 'Rotate' }).focus();
    await page.keyboard.press('Enter');
    assert.equal(await focused(page), '1 day');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(page), '7 days');
    await tabTo(page, 'Cancel');
    await page.keyboard.press('Enter');
    assert.equal(await focused(page), 'Rotate kept');
    assert.deepEqual(faults, []);
    await context.close();
  });

  it('shows where the focus is, and offers to skip the bar', async () => {
    const context = await browser.newContext();
    const { page } = await openWatched(context, baseUrl);
    await page.goto(`${baseUrl}/dashboard/sign-in/`, { waitUntil: 'networkidle' });
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Skip to the content');
    for (const name of ['Email', 'Password', 'Show the password', 'Sign in', 'Sign up']) {
      await tabTo(page, name);
      assert.equal(
        await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'),
        'solid',
        name,
      );
    }
    await context.close();
  });

  it('selects what cannot be copied for the person', async () => {
    const context = await browser.newContext();
    await context.addInitScript('Object.defineProperty(navigator, "clipboard", { value: undefined })');
    const { page, faults } = await openWatched(context, baseUrl);
    await signUp(page, baseUrl, somebody());
    const key = await makeKey(page, 'insecure');
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByText('Key selected').waitFor();
    assert.equal(await page.evaluate('String(getSelection())'), key);
    assert.deepEqual(faults, []);
    await context.close();
  });
});
