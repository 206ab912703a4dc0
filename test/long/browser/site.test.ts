/** What all pages of the site have in common, and the guides. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { guidesAddress, readGuides } from '../../../build/site/guides/pages.ts';
import { sampleOrigin } from '../../../build/site/text.ts';
import { openBrowser, openSite, openWithoutScripts } from './browser.ts';
import {
  assertAccessible,
  clipboard,
  clipboardPermissions,
  focused,
  unfoldAll,
} from './page-checks.ts';

const [, ...guides] = readGuides();
const docs = ['/docs/', guidesAddress, ...guides.map(({ address }) => address), '/docs/reference/'];

/** Pages for users who are not signed in, and the `autocomplete` values of their fields. */
const forms = {
  '/dashboard/sign-in/?error=access_denied': ['email', 'current-password'],
  '/dashboard/sign-up/': ['email', 'new-password'],
  '/dashboard/forgot-password/': ['email'],
  '/dashboard/reset-password/#token=one': ['new-password'],
  '/dashboard/reset-password/?error=INVALID_TOKEN': ['new-password'],
};

describe('The pages of the site in a browser', async () => {
  const browser = await openBrowser();
  const { baseUrl, page, open } = await openSite(browser, {}, clipboardPermissions);

  for (const path of [...docs, ...Object.keys(forms)]) {
    it(`${path} is accessible, narrow and wide, light and dark, and has no broken links`, async () => {
      await open(path);
      await unfoldAll(page);
      await assertAccessible(page, path);
      const links = await page
        .locator('main a')
        .evaluateAll((anchors) => anchors.map((anchor) => String(anchor.getAttribute('href'))));
      for (const link of new Set(links)) {
        if (link.startsWith('#')) assert.equal(await page.locator(link).count(), 1, link);
        // Pages of others are not requested.
        else if (link.startsWith('/'))
          assert.equal((await fetch(baseUrl + link)).status, 200, link);
      }
    });
  }

  it('are readable without JavaScript, without a button, or say that they need it', async () => {
    const page = await openWithoutScripts(browser, baseUrl);
    for (const path of ['/docs/catalogue/neet/', ...docs]) {
      await page.goto(path);
      for (const part of ['main pre', '.language', 'h2']) {
        const all = page.locator(part);
        assert.equal(
          await all.filter({ visible: true }).count(),
          await all.count(),
          `${path} ${part}`,
        );
      }
      assert.equal(await page.locator('button:not(.menu):visible').count(), 0, path);
    }
    const explanations = await page.locator('noscript').allInnerTexts();
    assert.match(explanations.join(), /To send requests from this page, enable JavaScript/);
    for (const path of ['/dashboard/', ...Object.keys(forms)]) {
      await page.goto(path);
      assert.ok(await page.locator('noscript p').isVisible(), path);
      for (const button of await page.locator('button[type=submit]:visible').all())
        assert.ok(await button.isDisabled(), path);
    }
  });

  it('begin with a page at /docs/ with a request to copy and a question to answer, and lead to a key and the reference', async () => {
    await open('/');
    assert.equal(new URL(page.url()).pathname, '/docs/');
    for (const name of ['JavaScript', 'Python', 'curl']) {
      await page.getByRole('tab', { name, exact: true }).click();
      const shown = page.locator('.sample pre:visible');
      assert.ok((await shown.innerText()).includes(baseUrl), name);
      await page.getByRole('button', { name: `Copy the ${name} sample` }).waitFor();
    }
    const question = page.locator('pastpaper-question');
    await question.locator('input').first().check();
    await question.getByRole('button', { name: 'Check' }).click();
    await question.getByText(/^(Correct|Not correct)\.$/).waitFor();
    assert.ok(await question.locator('dl.answer').isVisible());
    await assertAccessible(page, 'an answered question');
    await page.getByRole('link', { name: 'Get a key' }).first().click();
    await page.getByRole('heading', { name: 'Sign up' }).waitFor();
    await page.getByRole('link', { name: 'Reference' }).click();
    await page.waitForURL('**/docs/reference/');
  });

  it('show a program of a guide in the language chosen by keyboard, and copy all of it', async () => {
    await open('/docs/guides/checksum/');
    for (const [name, file] of [
      ['Python', 'verify.py'],
      ['JavaScript', 'verify.mjs'],
    ] as const) {
      await page.getByRole('tab', { name, exact: true }).press('Enter');
      assert.equal(await page.locator('.samples pre:visible').count(), 1);
      assert.ok(await page.getByText(`Save it as ${file}`).isVisible());
    }
    await page.keyboard.press('Tab');
    assert.match(await focused(page), /^import \{ Bank \}/);
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Copy the JavaScript sample');
    await page.keyboard.press('Enter');
    await page.getByText('Sample copied.').waitFor({ state: 'attached' });
    const copied = await clipboard(page);
    assert.equal(copied, await page.locator('[data-sample=javascript] code').first().textContent());
    assert.ok(copied.includes('await bank.paper(path)') && !copied.includes(sampleOrigin));
  });
});
