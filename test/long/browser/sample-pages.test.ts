import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultBank } from '../../../build/release/config.ts';
import { makeBank, paperPath, shiftPath, temporaryFolder } from '../../build/bank-folder.ts';
import { everyFieldFiles } from '../../build/every-field.ts';
import { publishedFolder } from '../../build/release-folder.ts';
import { pageBudget } from '../site/pages.ts';
import { openBrowser, openSite } from './browser.ts';
import { assertAccessible, loadedBytes, tabAndPress, unfoldAll } from './page-checks.ts';

const path = `/docs/samples/${shiftPath}/physics/`;

describe('The page of a sample paper in a browser', async () => {
  const bank = await makeBank(everyFieldFiles);
  await bank.set(
    paperPath,
    '/questions/3/question',
    `Wide: $${'x + '.repeat(200)}x$ and $$${'\\frac{a}{b}\\cdot{}'.repeat(60)}$$`,
  );
  const dist = await temporaryFolder();
  await publishedFolder(bank.dir, dist, undefined, {
    ...defaultBank,
    samples: [path.slice('/docs/samples/'.length, -1)],
  });
  const browser = await openBrowser();
  const { page, open } = await openSite(browser, { DIST_DIR: dist });

  it('is accessible and fits the window, narrow and wide, light and dark, folded and unfolded', async () => {
    await open('/docs/samples/');
    await assertAccessible(page, 'the list of samples');
    await page.getByRole('link', { name: 'Physics (Theory)' }).click();
    await page.getByRole('heading', { name: 'Physics (Theory)' }).waitFor();
    await assertAccessible(page, path);
    await unfoldAll(page);
    await assertAccessible(page, `${path}, unfolded`);
  });

  it('sets formulas in their fonts and at their places, and shows diagrams', async () => {
    await open(path);
    assert.ok(
      await page.evaluate(
        `document.fonts.check('1em KaTeX_Math') && document.fonts.check('1em KaTeX_Main')`,
      ),
    );
    // The parts of a fraction are above each other only by the styles that KaTeX writes.
    const [over, under] = await page
      .locator('.mfrac .mathnormal')
      .evaluateAll((parts) => parts.slice(0, 2).map((part) => part.getBoundingClientRect().top));
    assert.ok(
      over !== undefined && under !== undefined && Math.abs(over - under) > 8,
      `${over} ${under}`,
    );
    const images = await page
      .locator('main img')
      .evaluateAll((all) =>
        all.map((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
      );
    assert.deepEqual(images.toSorted(), [30, 31, 32, 40, 40]);
  });

  it('shows the answer to a question on request, by keyboard', async () => {
    await open(path);
    const answer = page.locator('#question-1 dd').first();
    assert.ok(!(await answer.isVisible()));
    await tabAndPress(page, 'Answer and solution of question 1');
    assert.ok(await answer.isVisible());
    assert.ok(!(await page.locator('#question-2 dd').first().isVisible()));
  });

  it('loads at most 250 KB, fonts included', async () => {
    await open(path);
    const total = await loadedBytes(page);
    assert.ok(total > 0 && total <= pageBudget, `${total} bytes`);
  });
});
