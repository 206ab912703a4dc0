/** What a new user does first, in a new browser profile, by the names on the screen alone. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { QuestionIndex } from '../../../build/release/resources.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { openBrowser } from './browser.ts';
import { clipboard, clipboardPermissions } from './page-checks.ts';
import { somebody } from './person.ts';

describe('A new user', async () => {
  const browser = await openBrowser();
  const { baseUrl: baseURL, close } = await runGateway({}, 'in-real-time');
  after(close);
  for (const width of [390, 1280])
    describe(`in a window of ${width} pixels`, async () => {
      const viewport = { width, height: 800 };
      const context = await browser.newContext({ baseURL, viewport, ...clipboardPermissions });
      const page = await context.newPage();
      const person = somebody();
      before(() => page.goto('/'));

      /** Follows a link of the header, which a narrow window has in its menu. */
      async function follow(name: string): Promise<void> {
        const menu = page.getByRole('button', { name: 'Menu' });
        if (await menu.isVisible()) await menu.click();
        await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
      }

      it('gets a key and a first response', async () => {
        await page.getByRole('link', { name: 'Get a key' }).first().click();
        await page.getByLabel('Email').fill(person.email);
        await page.getByLabel('New password').fill(person.password);
        await page.getByRole('button', { name: 'Sign up' }).click();
        await page.getByRole('button', { name: 'New key' }).click();
        await page.getByLabel('Name').fill('laptop');
        await page.getByRole('button', { name: 'Create key' }).click();
        await page.getByRole('button', { name: 'Copy the key' }).click();
        const key = await clipboard(page);
        const [reference] = await Promise.all([
          context.waitForEvent('page'),
          page.getByRole('link', { name: 'Try it in the reference' }).click(),
        ]);
        await reference.getByLabel('API key').fill(key);
        await reference.getByRole('button', { name: 'Send' }).click();
        await reference.getByText(/^200 OK/).waitFor();
        await reference.close();
        await page.getByRole('button', { name: 'I have copied it' }).click();
      });

      it('finds all questions on optics of two years', async () => {
        await page.getByRole('combobox', { name: 'Search' }).fill('optics');
        await page.getByRole('option', { name: /^Optics NEET/ }).click();
        await page.getByRole('heading', { name: 'Questions' }).waitFor();
        await page.getByLabel('From', { exact: true }).selectOption('2024');
        await page.getByLabel('To', { exact: true }).selectOption('2026');
        const expected = await idsOfTopic(page, 'neet', [2024, 2026], 'Optics');
        await page.getByText(`${expected.length} questions.`, { exact: true }).waitFor();
        const table = page.getByRole('region', { name: 'Questions found' });
        assert.deepEqual(await table.getByRole('rowheader').allTextContents(), expected);
      });

      it('reports a wrong answer', async () => {
        await page.getByRole('link', { name: 'Report a mistake', exact: true }).last().click();
        await page.getByRole('heading', { name: 'Report a mistake' }).waitFor();
        const address = page.getByRole('link', { name: /^write to / });
        assert.match(`${await address.getAttribute('href')}`, /^mailto:/);
        await follow('Catalogue');
        await page.getByRole('link', { name: 'sample papers' }).click();
        await page.getByRole('link', { name: 'Physics' }).click();
        const link = page.getByRole('link', { name: 'Report a mistake in question' }).nth(6);
        assert.match(
          `${await link.getAttribute('href')}`,
          /^mailto:.*subject=neet-2026-01-01-s1-physics-0?7&/,
        );
      });

      it('prints a paper', async () => {
        await page.goto('/');
        await page.getByRole('link', { name: 'Read the whole paper' }).click();
        await page.evaluate('globalThis.print = () => { globalThis.isPrinted = true; }');
        await page.getByLabel('What to print').selectOption('with the key');
        await page.getByRole('button', { name: 'Print' }).click();
        assert.equal(await page.evaluate('isPrinted'), true);
      });

      it('sees how many requests are left', async () => {
        await follow('Dashboard');
        await page.getByText(/^\d+ left\. The quota renews on /).waitFor();
      });
    });
});

/** The ids of the questions of a topic, as the API lists them. */
async function idsOfTopic(
  page: Page,
  exam: string,
  years: readonly number[],
  topic: string,
): Promise<string[]> {
  const ids: string[] = [];
  for (const year of years) {
    const response = await page.request.get(`/${exam}/${year}/questions.json`);
    const { questions }: QuestionIndex = await response.json();
    ids.push(...questions.filter((one) => one.topic === topic).map(({ id }) => id));
  }
  return ids;
}
