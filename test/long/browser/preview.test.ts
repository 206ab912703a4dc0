import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
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
  const { context, page, forgetErrors } = await openPage(browser, origin);

  /** Opens a page that updates. */
  async function open(path: string): Promise<void> {
    await page.goto(path);
    await page.getByText('Reloads when you save.').waitFor();
  }

  const save = (index: number, name: string, value: unknown) =>
    bank.set(paperPath, `/questions/${index}/${name}`, value);

  it('shows diagrams and their text alternatives', async () => {
    await open(paperPage);
    const picture = page.getByRole('img', { name: 'A parabola that opens upwards.' });
    await page.waitForFunction("document.querySelector('figure img').naturalWidth === 320");
    assert.equal((await picture.boundingBox())?.width, 320);
    assert.ok(
      await page.locator('figcaption').getByText('A parabola that opens upwards.').isVisible(),
    );
  });

  it('marks correct options in words, also for screen readers', async () => {
    await open(paperPage);
    const items = question(page, 1)
      .getByRole('listitem')
      .filter({ has: page.locator('.key') });
    assert.deepEqual(await items.locator('.mark').allInnerTexts(), ['Correct', 'Accepted']);
    assert.match(await items.nth(0).ariaSnapshot(), /A\b.*Correct/s);
    assert.doesNotMatch(await items.nth(1).ariaSnapshot(), /Correct|Accepted/);
    assert.equal(await question(page, 2).locator('.right').count(), 2);
    assert.ok(await question(page, 2).getByText('Withdrawn by the exam body').isVisible());
    assert.match(
      await question(page, 3).locator('.answer').innerText(),
      /2\.25\s+Accepted\s+2\.25, 2\.26/,
    );
  });

  it('links from the list to a paper, and to the others of its shift', async () => {
    await open('/');
    await page.getByRole('link', { name: 'physics 30 questions' }).click();
    await page.waitForURL(`**${paperPage}`);
    await page
      .getByRole('navigation', { name: 'Papers of this shift' })
      .getByText('chemistry')
      .click();
    await page.waitForURL('**/chemistry');
    await page.getByRole('link', { name: 'Papers', exact: true }).click();
    await page.waitForURL(`${origin}/`);
  });

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

  it('shows a file that an editor replaces by renaming', async () => {
    await open(paperPage);
    for (const topic of ['Lengths', 'Widths', 'Units']) {
      const [first, ...others] = questions;
      await bank.write('.draft', paperOf({ ...first, topic } as (typeof questions)[0], ...others));
      await rename(join(bank.dir, '.draft'), join(bank.dir, paperPath));
      await question(page, 1).getByText(topic, { exact: true }).waitFor();
    }
  });

  it('keeps its scroll position', async () => {
    await open(paperPage);
    await page.evaluate("document.getElementById('question-20').scrollIntoView()");
    const before = await topOf(question(page, 20));
    await save(5, 'topic', 'Seen above');
    await question(page, 6).getByText('Seen above').waitFor();
    await page.getByText('Reloads when you save.').waitFor();
    assert.ok(Math.abs((await topOf(question(page, 20))) - before) <= 1);
  });

  it('updates when it becomes visible again', async () => {
    await open(paperPage);
    await setHidden(page, true);
    await save(5, 'topic', 'Seen late');
    await setHidden(page, false);
    await question(page, 6).getByText('Seen late').waitFor();
  });

  it('works in any number of windows, of which one is visible', async () => {
    // A browser opens 6 connections to an origin (HTTP/1.1): if each window kept one open, the last would get none.
    const windows: Page[] = [];
    for (let count = 0; count < 7; count += 1) {
      const window = await context.newPage();
      windows.push(window);
      await window.goto('/');
      await window.getByText('Reloads when you save.').waitFor();
      await setHidden(window, true);
    }
    for (const window of windows) await window.close();
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

    it('is printed dark on white, without navigation', async () => {
      await page.goto(paperPage);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      assert.equal(await page.getByRole('banner').isVisible(), false);
      assert.equal(await background(page), light);
      assert.equal(await page.getByRole('article').count(), fewQuestions.length);
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

/** The distance from the top of the window in CSS pixels. */
async function topOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.y ?? Number.NaN;
}

/** Simulates that another window covers this one, which a headless browser does not detect. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}
