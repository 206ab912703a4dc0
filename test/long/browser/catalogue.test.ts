import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examPage, overviewPage } from '../../../build/site/catalogue/pages.ts';
import type { Html } from '../../../build/site/html.ts';
import { largeCatalogue, nastyExam } from '../../build/catalogue/large-catalogue.ts';
import { openBrowser, openSite } from './browser.ts';
import { accessibilityFaults, assertAccessible, assertFits, unfoldAll } from './page-checks.ts';

const paths = ['/docs/catalogue/', '/docs/catalogue/neet/', '/docs/catalogue/jeemain/'] as const;

describe('The catalogue in a browser', async () => {
  const browser = await openBrowser();
  const { page, open } = await openSite(browser);

  it('is accessible and fits the window, narrow and wide, light and dark', async () => {
    for (const path of paths) {
      await open(path);
      await assertFits(page, path);
      await unfoldAll(page);
      await assertAccessible(page, `${path}, unfolded`);
    }
  });

  it('fits 12,000 shifts and long names in any script, narrow and wide', async () => {
    await page.goto('/docs/catalogue/');
    const show = async (name: string, main: Html) => {
      await page.evaluate(
        `document.querySelector('main').outerHTML = ${JSON.stringify(main.text)}`,
      );
      await unfoldAll(page);
      await assertFits(page, name);
    };
    await show('12,000 shifts', overviewPage(largeCatalogue()).main);
    await show('names of any kind', examPage(nastyExam(), []).main);
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  it('leads from a topic to its questions and their papers by keyboard, and shows the last changes', async () => {
    await page.setViewportSize({ width: 320, height: 740 });
    await open('/docs/catalogue/neet/');
    await page.getByRole('link', { name: 'Optics', exact: true }).press('Enter');
    const found = page.getByRole('region', { name: 'Questions found' });
    await found.getByRole('link').first().waitFor();
    await assertAccessible(page, 'questions of a topic');
    await found.getByRole('link').first().press('Enter');
    await page.waitForURL('**/docs/samples/neet/2026/2026-01-01-s1/physics/');
    await open('/docs/catalogue/');
    await page.getByRole('listitem').filter({ hasText: 'First release' }).waitFor();
  });
});
