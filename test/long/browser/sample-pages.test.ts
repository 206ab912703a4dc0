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
    samples: ['physics', 'chemistry'].map((subject) => `${shiftPath}/${subject}`),
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
    await open('/docs/samples/');
    await page.getByRole('link', { name: 'Complete paper' }).click();
    await page.getByRole('heading', { name: 'Complete paper' }).waitFor();
    await unfoldAll(page);
    await assertAccessible(page, 'the complete paper, unfolded');
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

  it('can be answered, scored by the rules of the exam and timed, by question number', async () => {
    await open(path);
    await page.getByRole('button', { name: 'Score' }).click();
    assert.match(await page.locator('#result').innerText(), /^-?[\d.]+ of \d+, 0 answered$/);
    await page.locator('#question-1 input').first().check();
    await page.getByRole('button', { name: 'Score' }).click();
    assert.match(await page.locator('#result').innerText(), /, 1 answered$/);
    assert.equal(await page.locator('.by-number [data-answered]').count(), 1);
    await page.getByLabel('Answers and solutions').check();
    assert.ok(await page.locator('#question-2 .answer').isVisible());
    await page.getByRole('navigation', { name: 'Questions' }).getByRole('link').last().click();
    assert.ok(await page.locator('.by-number').isVisible());
  });

  it('loads at most 250 KB, fonts included', async () => {
    await open(path);
    const total = await loadedBytes(page);
    assert.ok(total > 0 && total <= pageBudget, `${total} bytes`);
  });
});

/** The printed papers: questions, most pages without key and solutions. */
const printed = [
  ['NEET physics', 'neet/2026/2026-01-01-s1/physics', 45, 10],
  ['A complete NEET paper', 'neet/2026/2026-01-01-s1', 180, 30],
] as const;

describe('A printed paper', async () => {
  const browser = await openBrowser();
  const { page } = await openSite(browser);

  for (const [name, path, questions, most] of printed)
    it(`has no question across two pages, and the key and the solutions on others if asked: ${name} on at most ${most}`, async () => {
      await page.goto(`/docs/samples/${path}/`);
      const pages = await pagesOf();
      assert.ok(pages > 0 && pages <= most, `${pages} pages`);
      await page.emulateMedia({ media: 'print' });
      // The width of the text on A4, and the height.
      await page.setViewportSize({ width: 703, height: 1017 });
      const laidOut = await page.locator('article.question').evaluateAll((all) =>
        all.map((one) => {
          const { breakInside } = (
            globalThis as unknown as { getComputedStyle(one: unknown): { breakInside: string } }
          ).getComputedStyle(one);
          return { breakInside, height: one.getBoundingClientRect().height };
        }),
      );
      assert.equal(laidOut.length, questions);
      for (const { breakInside, height } of laidOut)
        assert.ok(breakInside === 'avoid' && height < 1017, `${breakInside} ${height}`);
      await page.emulateMedia({ media: null });
      await page.evaluate('globalThis.print = () => {}');
      await page.getByLabel('What to print').selectOption('with solutions');
      await page.getByRole('button', { name: 'Print' }).click();
      assert.equal(await page.locator('#printed-key p').count(), questions);
      const all = await pagesOf();
      assert.ok(all >= pages + 2, `${all} pages`);
    });

  async function pagesOf(): Promise<number> {
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    return pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  }
});
