/** What all pages of the site have in common. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { skip } from './browser.ts';
import { assertAccessible } from './fits.ts';
import { openBrowser, openSite } from './open-site.ts';
import { focused, tabTo } from './tab-to.ts';

describe('The pages of the site in a browser', { skip }, async () => {
  if (skip) return;
  const browser = await openBrowser();
  const { baseUrl, page, errors, open, reset } = await openSite(browser);
  beforeEach(reset);

  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const [light, dark] = ['rgb(255, 255, 255)', 'rgb(20, 23, 26)'];

  it('align header, content and footer at every width', async () => {
    for (const width of [390, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of ['/docs/', '/docs/guides/', '/docs/catalogue/', '/docs/none']) {
        await open(path);
        const edges = await page.evaluate(`['header', 'main', 'footer'].map((selector) => {
          const box = document.querySelector(selector);
          const { paddingLeft, paddingRight } = getComputedStyle(box);
          const { left, right } = box.getBoundingClientRect();
          return [left + parseFloat(paddingLeft), right - parseFloat(paddingRight)];
        })`);
        const [header, content, footer] = edges as number[][];
        assert.deepEqual([header, footer], [content, content], `${path}, ${width} pixels`);
      }
    }
  });

  it('show the theme of the system until the reader switches it, and then the chosen one on every page', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await open('/docs/');
    const button = page.getByRole('button', { name: 'Dark theme' });
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
    await tabTo(page, 'Dark theme');
    await page.keyboard.press('Enter');
    assert.equal(await background(), dark);
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    for (const path of ['/docs/guides/', '/dashboard/sign-in/']) {
      await open(path);
      assert.equal(await background(), dark, path);
    }
    await button.click();
    assert.equal(await background(), light);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.equal(await background(), dark);
    assert.deepEqual(errors, []);
  });

  it('begin with a page at /docs/ that shows two requests to copy, and leads to a key', async () => {
    await open('/');
    assert.equal(new URL(page.url()).pathname, '/docs/');
    await assertAccessible(page, 'the landing page');
    const samples = await page.locator('pre').allTextContents();
    assert.equal(samples.length, 2);
    assert.ok(samples.every((text) => text.startsWith('curl ') && text.includes(baseUrl)));
    assert.equal(await page.getByRole('button', { name: 'Copy the curl sample' }).count(), 2);
    await page.getByRole('link', { name: 'Get a key' }).click();
    await page.getByRole('heading', { name: 'Sign up' }).waitFor();
    assert.deepEqual(errors, []);
  });

  it('remember the language of samples', async () => {
    await open('/docs/guides/key/');
    await page.getByRole('tab', { name: 'Python' }).click();
    await open('/docs/guides/checksum/');
    assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Python');
  });

  it('mark the section that is read in the list of sections', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open('/docs/guides/limits/');
    const current = page.locator('.contents [aria-current=location]');
    assert.equal(await current.count(), 0);
    await page.locator('#counts').evaluate((heading) => heading.scrollIntoView());
    await current.getByText('What counts').waitFor();
    await page.locator('.contents').getByText('When to retry').click();
    await current.getByText('When to retry').waitFor();
    assert.equal(await current.count(), 1);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await current.getByText('Download all papers of a year').waitFor();
  });

  it('have headings that link to themselves, by keyboard too', async () => {
    await open('/docs/guides/limits/');
    await tabTo(page, 'Rate limit headers');
    await page.keyboard.press('Enter');
    await tabTo(page, 'What counts');
    assert.equal(await focused(page), 'What counts');
    await page.keyboard.press('Enter');
    assert.equal(new URL(page.url()).hash, '#counts');
    const links = page.locator('main h2[id] > a');
    assert.equal(await links.count(), await page.locator('main h2[id]').count());
  });
});
