import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Question, SubjectFile } from '../../../build/content/written.ts';
import { formatJson } from '../../../build/fix/json.ts';
import { makeBank, paperOf, paperPath, sampleQuestions } from '../../build/bank-folder.ts';
import { png } from '../../build/image-bytes.ts';
import { runPreview } from '../../build/preview/running-preview.ts';
import { openBrowser, openPage } from './browser.ts';
import { assertAccessible, assertFits, unfoldAll } from './page-checks.ts';

const { mcq } = sampleQuestions;
const newPath = 'neet/2025/2025-05-04-s1/biology.json';

describe('The editor in a browser', async () => {
  const bank = await makeBank();
  const { origin } = await runPreview(bank.dir);
  const browser = await openBrowser();
  const { page, forgetErrors } = await openPage(browser, origin);
  const textOf = (path = newPath) => readFile(join(bank.dir, path), 'utf8');
  const paper = async (path = newPath): Promise<SubjectFile> => JSON.parse(await textOf(path));
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const state = (text: string) => page.getByRole('status').getByText(text).waitFor();
  const option = (key: string) => page.getByRole('group', { name: `Option ${key}`, exact: true });
  const shown = page.getByRole('region', { name: 'What students see' });

  async function write(text: string, options: readonly string[] = []): Promise<void> {
    await questionText().fill(text);
    for (const [index, value] of options.entries())
      await option('ABCD'.charAt(index)).getByLabel('Text', { exact: true }).fill(value);
  }

  function questionText(): Locator {
    return page.locator('[id="field/question"]');
  }

  async function save(): Promise<void> {
    await page.keyboard.press('Control+s');
    await state('Saved.');
  }

  it('makes a paper of five questions of four types, with a formula and a diagram', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: 'New paper' }).click();
    await field('Subject').selectOption('biology');
    await field('Date of the exam').fill('2025-05-04');
    await page.getByRole('button', { name: 'Create paper' }).click();
    await page.getByRole('heading', { name: 'Edit question 1' }).waitFor();

    await write('What is $\\frac{1}{2}$ of 4?', ['1', '2', '3', '4']);
    await option('B').getByLabel('B is correct').check();
    await field('Topic').fill('Numbers');
    await shown.locator('.katex .mfrac').waitFor();
    await shown.locator('.right').getByText('2').waitFor();
    await save();

    const next = async (number: number) => {
      await page.getByRole('button', { name: 'Save and write the next' }).click();
      await page
        .getByRole('heading', { name: `New question ${number}` })
        .or(page.getByRole('heading', { name: 'New question' }))
        .waitFor();
      await page.waitForURL(/question=$/);
      await state('Ctrl+S saves.');
    };
    await next(2);
    await field('Type').selectOption('msq');
    await write('Which are even?', ['1', '2', '3', '4']);
    await option('D').getByLabel('D is correct').check();
    await option('B').getByLabel('B is correct').check();
    await next(3);
    await field('Type').selectOption('numerical');
    await write('How long is it?');
    await field('Answer').fill('2.5');
    await next(4);
    await field('Type').selectOption('text');
    await write('Which city?');
    await field('Answer').fill('Paris');
    await next(5);
    await field('Type').selectOption('mcq');
    await write('What does the figure show?', ['A line', 'A disc', 'A cube', 'A cone']);
    await option('A').getByLabel('A is correct').check();
    const buffer = Buffer.from(png(60, 40));
    await page
      .getByLabel(/^Add a diagram/)
      .setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer });
    await state('The diagram is saved.');
    await field('Description').fill('A shape.');
    await shown.getByRole('img', { name: 'A shape.' }).waitFor();
    await save();

    const { questions } = await paper();
    assert.deepEqual(
      questions.map(({ type, answer }) => [type, answer]),
      [
        ['mcq', 'B'],
        ['msq', 'B,D'],
        ['numerical', '2.5'],
        ['text', 'Paris'],
        ['mcq', 'A'],
      ],
    );
    assert.equal(new Set(questions.map(({ id }) => id)).size, 5);
    assert.equal(questions[0]?.question, 'What is $\\frac{1}{2}$ of 4?');
    assert.deepEqual(questions[4]?.diagrams, [
      { file: `${questions[4]?.id}.png`, alt: 'A shape.' },
    ]);
    const text = await textOf();
    assert.equal(formatJson(text, 'paper'), text);
    await page.getByRole('link', { name: 'Back to the paper' }).click();
    await page.getByRole('heading', { name: 'No problems' }).waitFor();
  });

  it('shows a mistake beside its field, and mends it with the button of its suggestion', async () => {
    await page.goto('/neet/2025/2025-05-04-s1/biology');
    await page.getByRole('link', { name: 'Edit question 1' }).click();
    await state('Ctrl+S saves.');
    const before = await textOf();
    await questionText().fill('What is $\\fracc{1}{2}$ of 4?');
    const problem = page.locator('[id="problems/question"]').getByRole('listitem');
    await problem.getByText('\\fracc').waitFor();
    assert.equal(await questionText().getAttribute('aria-invalid'), 'true');
    assert.match(
      (await questionText().getAttribute('aria-describedby')) ?? '',
      /problems\/question/,
    );
    await problem.getByRole('button').click();
    await problem.waitFor({ state: 'detached' });
    assert.equal(await questionText().inputValue(), 'What is $\\frac{1}{2}$ of 4?');
    await questionText().fill('What is $\\frac{1}{4}$ of 4?');
    await save();
    const [old, now] = [before.split('\n'), (await textOf()).split('\n')];
    assert.equal(now.length, old.length);
    assert.equal(now.filter((line, index) => line !== old[index]).length, 1);
  });

  it('loses nothing when the file is edited on the disk at the same time', async () => {
    await page.goto(`/-/edit/neet/2025/2025-05-04-s1/biology?question=1`);
    await state('Ctrl+S saves.');
    await field('Topic').fill('Fractions');
    await bank.set(newPath, '/questions/1/topic', 'Added elsewhere');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'The file has changed' }).waitFor();
    await page.getByRole('button', { name: 'Save mine into the changed file' }).click();
    await state('Saved.');
    const [first, second] = (await paper()).questions;
    assert.deepEqual([first?.topic, second?.topic], ['Fractions', 'Added elsewhere']);

    await field('Topic').fill('Mine');
    await bank.set(newPath, '/questions/0/topic', 'Theirs');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'In the file' }).waitFor();
    assert.ok(await page.getByText('"topic": "Theirs"').isVisible());
    assert.ok(await page.getByText('"topic": "Mine"').isVisible());
    assert.equal((await paper()).questions[0]?.topic, 'Theirs');
    await page.getByRole('button', { name: 'Use the version of the file' }).click();
    assert.equal(await field('Topic').inputValue(), 'Theirs');
    forgetErrors();
  });

  it('takes a diagram that is pasted into an option or dropped on the form', async () => {
    await page.goto('/-/edit/neet/2025/2025-05-04-s1/biology?question=5');
    await state('Ctrl+S saves.');
    const give = (selector: string, kind: 'paste' | 'drop', width: number) =>
      page.evaluate(`{
        const bytes = Uint8Array.from(atob('${Buffer.from(png(width, 10)).toString('base64')}'), (one) => one.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
        const options = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data };
        const event = ${kind === 'paste' ? "new ClipboardEvent('paste', options)" : "new DragEvent('drop', options)"};
        document.querySelector('${selector}').dispatchEvent(event);
      }`);
    await give('[id="field/options/1/value"]', 'paste', 20);
    await option('B').getByRole('group', { name: 'Diagram' }).waitFor();
    await give('[id="field/topic"]', 'drop', 30);
    await page.getByRole('group', { name: 'Diagram 2' }).waitFor();
    await save();
    const { id, options, diagrams } = (await paper()).questions[4] as Question;
    assert.deepEqual(options[1], { key: 'B', value: 'A disc', diagram: { file: `${id}-2.png` } });
    assert.equal(diagrams?.[1]?.file, `${id}-3.png`);
  });

  it('duplicates, moves and deletes questions on the page of the paper', async () => {
    const ids = async () => (await paper(paperPath)).questions.map(({ id }) => id);
    const questions = [1, 2, 3].map(
      (number): Question => ({ ...mcq, id: `m${number}`, question: `${number}?` }),
    );
    await bank.write(paperPath, paperOf(...questions));
    await page.goto('/neet/2024/2024-05-05-s1/physics');
    const press = async (name: string, expected: readonly string[]) => {
      await page.getByText('Reloads when you save.').waitFor();
      await page.getByRole('button', { name, exact: true }).click();
      await page.waitForFunction(
        (texts) =>
          JSON.stringify(
            [...document.querySelectorAll('.source code')].map((one) => one.textContent),
          ) === texts,
        JSON.stringify(expected),
      );
      assert.deepEqual(await ids(), expected);
    };
    await press('Move down question 1', ['m2', 'm1', 'm3']);
    await press('Move up question 3', ['m2', 'm3', 'm1']);
    page.on('dialog', (dialog) => void dialog.accept());
    await press('Duplicate question 1', ['m2', 'm4', 'm3', 'm1']);
    await press('Delete question 2', ['m2', 'm3', 'm1']);
  });

  it('saves a question of a paper of 200, and prints how long that takes', async (test) => {
    const questions = Array.from({ length: 200 }, (_, index): Question => {
      const options = mcq.options.map(({ key }, at) => ({ key, value: `$${index}.${at}$ m` }));
      return { ...mcq, id: `m${index}`, question: `How far is $x_{${index}}$ away?`, options };
    });
    await bank.write(paperPath, paperOf(...questions));
    await page.goto('/-/edit/neet/2024/2024-05-05-s1/physics?question=100');
    await state('Ctrl+S saves.');
    for (const text of ['Is it a?', 'Is it b?', 'Is it c?']) {
      const start = performance.now();
      await questionText().fill(text);
      await shown.getByText(text).waitFor();
      const rendered = performance.now();
      await save();
      const milliseconds = [rendered - start, performance.now() - rendered].map(Math.round);
      test.diagnostic(`Milliseconds until it is rendered, and until it is saved: ${milliseconds}`);
      assert.equal((await paper(paperPath)).questions[99]?.question, text);
    }
  });

  it('is accessible, and fits into 390 pixels', async () => {
    const fresh = await browser.newPage({ baseURL: origin });
    for (const path of [
      '/-/edit/new',
      '/-/edit/neet/2025/2025-05-04-s1/biology',
      ...['question=5', 'question=', 'passage='].map(
        (query) => `/-/edit/neet/2025/2025-05-04-s1/biology?${query}`,
      ),
    ]) {
      await fresh.goto(path);
      await fresh.locator('form button[type=submit]').waitFor();
      await unfoldAll(fresh);
      await assertFits(fresh, path, [390]);
      await assertAccessible(fresh, path);
    }
  });
});
