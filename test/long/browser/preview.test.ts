import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { paperOf, paperPath, sampleQuestions, shiftPath } from '../../build/bank-folder.ts';
import { runPreview } from '../../build/preview/running-preview.ts';
import { openBrowser, openPage, openWithoutScripts } from './browser.ts';
import { assertAccessible, assertFits, background, dark, light, unfoldAll } from './page-checks.ts';
import { makePreviewBank, paperPage, printedPage, questions } from './preview-bank.ts';

/** The questions with special features, including those that tests make invalid. */
const fewQuestions = questions.slice(0, 8);

const broken = '/neet/2024/2024-05-05-s1/biology';

describe('The preview in a browser', async () => {
  const bank = await makePreviewBank();
  const preview = await runPreview(bank.dir);
  const { origin } = preview;
  const browser = await openBrowser();
  const { page, forgetErrors } = await openPage(browser, origin);

  /** Opens a page that updates. */
  async function open(path: string): Promise<void> {
    await page.goto(path);
    await page.getByText('Reloads when you save.').waitFor();
  }

  const save = (index: number, name: string, value: unknown) =>
    bank.set(paperPath, `/questions/${index}/${name}`, value);

  it('hides answers and solutions in the student view, also after an update and on other pages', async () => {
    await open(printedPage);
    const ofAnswers = page.locator('.answer, .solution, .mark');
    const visible = async () => {
      const all = await ofAnswers.all();
      return (await Promise.all(all.map((element) => element.isVisible()))).filter(Boolean).length;
    };
    const color = (option: number) =>
      page.evaluate(
        `getComputedStyle(document.querySelectorAll('#question-1 .option')[${option}]).backgroundColor`,
      );
    const solution = question(page, 1).getByText('The rate of diffusion');
    assert.equal(await solution.isVisible(), false);
    await question(page, 1).getByText('Solution of question 1').click();
    assert.ok(await solution.isVisible());
    const all = await visible();
    assert.ok(all > 8);
    assert.notEqual(await color(3), await color(0));

    await page.getByLabel('Student view').check();
    assert.equal(await visible(), 0);
    assert.equal(await color(3), await color(0));
    assert.equal(await question(page, 1).locator('.key').first().innerText(), '(1)');
    const printed = `${shiftPath}/chemistry.json`;
    await bank.set(printed, '/lastUpdated', '2024-06-02T10:00:00Z');
    await page.getByText('2024-06-02').waitFor();
    await bank.set(printed, '/questions/0/answer', 'F');
    await page.getByRole('heading', { name: '1 error' }).waitFor();
    assert.ok(await page.getByLabel('Student view').isChecked());
    assert.equal(await visible(), 0);
    assert.equal(await page.getByText('answer-among-options').isVisible(), false);
    await bank.set(printed, '/questions/0/answer', 'D');
    await page.getByRole('link', { name: 'hi', exact: true }).click();
    await page.getByText('कथन 1 सही है।').waitFor();
    assert.equal(await visible(), 0);

    await page.getByLabel('Student view').uncheck();
    await page.getByRole('link', { name: 'Original' }).click();
    await page.getByText('Statement 1 is right.').waitFor();
    assert.equal(await visible(), all);
  });

  it('shows a problem beside its question when it is saved, until it is fixed', async () => {
    await open(paperPage);
    await save(4, 'answer', 'E');
    const problems = page.getByRole('group', { name: 'Problems of question 5' });
    await problems.getByText('answer-among-options').waitFor();
    assert.ok(await isBeside(problems, question(page, 5)));
    assert.ok(await page.getByRole('heading', { name: '1 error' }).isVisible());
    await problems.getByText(/^Line \d+, answer/).click();
    assert.match(await problems.locator('pre:visible').innerText(), /> \d+ │ +"answer": "E"/);
    await page.getByRole('link', { name: 'Question 5', exact: true }).click();
    await save(4, 'answer', 'A');
    await problems.waitFor({ state: 'detached' });
    assert.ok(await page.getByRole('heading', { name: 'No problems' }).isVisible());
  });

  it('works without scripts, and asks to be reloaded', async () => {
    const page = await openWithoutScripts(browser, origin);
    await page.goto(paperPage);
    assert.ok(await page.getByText('Reload the page to see your changes.').isVisible());
    assert.ok((await page.locator('.katex').count()) > questions.length);
  });

  it('reports a lost connection', async () => {
    const other = await runPreview(bank.dir);
    await open(other.url);
    await other.close();
    await page.getByText('Not connected').waitFor();
    await page.goto('about:blank');
    forgetErrors();
  });

  describe('Every page', async () => {
    const bank = await makePreviewBank(fewQuestions);
    await bank.set(paperPath, '/questions/3/answer', 'E');
    await bank.set(paperPath, '/questions/4/question', 'What is $\\fracc{1}{2}$?');
    await bank.set(paperPath, '/questions/5/id', 'c1');
    await bank.set(paperPath, '/questions/6/diagrams', [{ file: 'q7-none.png', alt: 'Nothing.' }]);
    await bank.write(
      `${shiftPath}/biology.json`,
      `${JSON.stringify(paperOf(sampleQuestions.mcq))}}`,
    );
    await bank.write('stray.txt', 'What is this?');
    const { origin } = await runPreview(bank.dir);
    const page = await browser.newPage({ baseURL: origin });

    for (const path of ['/', paperPage, printedPage, `${printedPage}.hi`, broken, '/nothing']) {
      it(`${path} is accessible and as wide as the window, narrow and wide, light and dark`, async () => {
        await page.goto(path);
        await assertFits(page, path);
        await unfoldAll(page);
        await assertAccessible(page, `${path}, unfolded`);
        for (const [colorScheme, color] of Object.entries({ light, dark })) {
          await page.emulateMedia({ colorScheme: colorScheme as 'light' | 'dark' });
          assert.equal(await background(page), color);
        }
      });
    }

    it('can be used with the keyboard: past the bar, and to the lines of a problem', async () => {
      await page.goto(paperPage);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal(new URL(page.url()).hash, '#main');
      const lines = page
        .getByRole('group', { name: 'Problems of question 4' })
        .getByText(/^Line \d+, answer/);
      await lines.focus();
      await page.keyboard.press('Enter');
      assert.ok(await page.locator('#question-4 .problem pre:visible').isVisible());
    });
  });
});

function question(page: Page, number: number): Locator {
  return page.getByRole('article', { name: `Question ${number}`, exact: true });
}

/** Whether an element is in the right half of another one, near its top. */
async function isBeside(inner: Locator, outer: Locator): Promise<boolean> {
  const [one, other] = await Promise.all([inner.boundingBox(), outer.boundingBox()]);
  return !!one && !!other && one.x > other.x + other.width / 2 && one.y - other.y < 50;
}
