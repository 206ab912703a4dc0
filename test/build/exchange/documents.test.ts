/** A paper of 45 questions from Word, Canvas and Excel; JSON with a mapping; text; and the same file imported again. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import type { SubjectFile } from '../../../build/content/written.ts';
import { temporaryFolder } from '../bank-folder.ts';
import { runCommand } from '../command.ts';
import { png } from '../image-bytes.ts';
import { noDataDir } from '../validate-folder.ts';
import { fileOf, importFile, place, schoolBank, zipOf } from './imported.ts';

/** In CI, where everything must be there, the tests fail without it. */
const isMissing = !process.env['CI'] && spawnSync('pandoc', ['--version']).status !== 0;
const numbers = Array.from({ length: 45 }, (_, index) => index + 1);

async function paperIn(dir: string): Promise<SubjectFile> {
  return JSON.parse(await readFile(join(dir, `${place}.json`), 'utf8'));
}

const placeNames: Readonly<Record<string, string>> = {
  '.docx': 'Word',
  '.tex': 'LaTeX',
  '.html': 'HTML',
};

/** Question 7 has a picture, and every fifth a table. */
function documentText(changed = ''): string {
  return numbers
    .map((number) => {
      const picture = number === 7 ? ' ![A red dot](dot.png)' : '';
      const table =
        number % 5 === 0
          ? '\n\n    | Name | Mass |\n    |------|------|\n    | rod  | 2    |\n'
          : '';
      return `${`${number}.`.padEnd(4)}Question ${number}${number === 3 ? changed : ''}: what is $\\frac{${number}}{2}$?${picture}${table}

    A.  $${number}$
    B.  $\\sqrt{${number}}$
    C.  half of ${number}
    D.  none

    Answer: C

    Topic: Fractions

    Solution: By **division**.
`;
    })
    .join('\n');
}

describe('A document of 45 questions', { skip: isMissing && 'pandoc is missing' }, () => {
  for (const [extension, name] of Object.entries(placeNames))
    it(`with equations, tables and a picture is imported from ${name}`, async () => {
      const folder = await temporaryFolder();
      await writeFile(join(folder, 'dot.png'), png(2, 2));
      await writeFile(join(folder, 'q.md'), documentText());
      const file = join(folder, `q${extension}`);
      execFileSync('pandoc', ['q.md', '-s', '--mathjax', '-o', file], {
        cwd: folder,
        stdio: 'ignore',
      });
      const { dir, stdout, diagnostics } = await importFile(file);
      assert.match(stdout, /^45 of 45 questions imported: 45 mcq\.$/m);
      const { questions } = await paperIn(dir);
      const [first, , , , fifth, , seventh] = questions;
      assert.equal(first?.question, 'Question 1: what is $\\frac{1}{2}$?');
      assert.deepEqual(
        first?.options.map(({ value }) => value),
        ['$1$', '$\\sqrt{1}$', 'half of 1', 'none'],
      );
      assert.deepEqual(
        [first?.answer, first?.topic, first?.solution, first?.number],
        ['C', 'Fractions', 'By **division**.', '1'],
      );
      assert.match(
        fifth?.question ?? '',
        /\n\n\| Name \| Mass \|\n\| --- \| --- \|\n\| rod \| 2 \|$/,
      );
      const [diagram] = seventh?.diagrams ?? [];
      assert.equal(diagram?.file, `${seventh?.id}-1.png`);
      // LaTeX has no descriptions of pictures.
      assert.equal(diagram.alt, extension === '.tex' ? undefined : 'A red dot');
      assert.deepEqual(
        diagnostics.filter((one) => !/^(?:similar-question|diagram-alt)/.test(one)),
        [],
      );
    });

  it('changes only the difference when it is imported again', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'dot.png'), png(2, 2));
    const file = join(folder, 'q.docx');
    const make = async (text: string) => {
      await writeFile(join(folder, 'q.md'), text);
      execFileSync('pandoc', ['q.md', '-o', file], { cwd: folder });
    };
    await make(documentText());
    const bank = await schoolBank();
    await importFile(file, bank);
    const paper = await paperIn(bank.dir);
    const edited = {
      ...paper,
      questions: paper.questions.map((one, index) =>
        index === 1 ? { ...one, difficulty: 'hard', question: 'Mine?' } : one,
      ),
    };
    await bank.write(`${place}.json`, edited);
    await make(documentText(' changed'));
    const { stdout } = await importFile(file, bank);
    const { questions } = await paperIn(bank.dir);
    assert.match(stdout, /^~ \S+-03: question: "Question 3: /m);
    assert.equal(questions[2]?.question, 'Question 3 changed: what is $\\frac{3}{2}$?');
    const others = (list: readonly object[]) => list.filter((_, index) => index !== 2);
    assert.deepEqual(others(questions), others(edited.questions));
    const { stdout: again } = await importFile(file, bank);
    assert.match(again, /^Nothing changed\.$/m);
  });
});

describe('pandoc alone would lose', { skip: isMissing && 'pandoc is missing' }, () => {
  it("the questions and keys of LaTeX's exam class", async () => {
    const tex = String.raw`\documentclass{exam}
\begin{document}
\begin{questions}
\question[2] What is $\frac{1}{2}$ of 4?
\begin{choices}
\choice 1
\CorrectChoice 2
\choice 3
\choice 4
\end{choices}
\begin{solution}
Divide by two.
\end{solution}
\end{questions}
\end{document}
`;
    const { dir, stdout } = await importFile(await fileOf('exam.tex', tex));
    assert.match(stdout, /^1 of 1 question imported: 1 mcq\.$/m);
    const [question] = (await paperIn(dir)).questions;
    assert.equal(question?.question, 'What is $\\frac{1}{2}$ of 4?');
    assert.deepEqual([question.answer, question.solution], ['B', 'Divide by two.']);
  });

  it('the equations of OpenDocument, of which the import says so', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'dot.png'), png(2, 2));
    await writeFile(join(folder, 'q.md'), documentText());
    execFileSync('pandoc', ['q.md', '-o', 'q.odt'], { cwd: folder });
    const { stdout, stderr } = await importFile(join(folder, 'q.odt'));
    assert.match(stdout + stderr, /pandoc leaves out \d+ equations/);
  });
});

describe('A package of Canvas', () => {
  it('that export writes is imported without a loss', async () => {
    const rows = numbers.map(
      (number) =>
        `${number},"What is $\\frac{${number}}{2}$?",${number},half,none,B,"By **division**"`,
    );
    const csv = `number,question,A,B,C,answer,solution\n${rows.join('\n')}\n46,Sum of 1 and 1.5?,,,,2.5,\n47,Name it.,,,,Ohm,\n48,Which are even?,1,2,4,"B,C",\n`;
    const { dir } = await importFile(await fileOf('a.csv', csv));
    const settings = { CONTENT_DIR: dir, DATA_DIR: noDataDir };
    const out = join(dirname(dir), `canvas-${process.pid}.imscc`);
    const exported = await runCommand(
      ['export', place, '--format', 'qti12', '--out', out],
      settings,
    );
    assert.equal(exported.status, 0, exported.stderr);
    const { dir: other, stdout } = await importFile(out);
    assert.match(stdout, /^48 of 48 questions imported: 45 mcq, 1 numerical, 1 text, 1 msq\.$/m);
    const [before, after] = [await paperIn(dir), await paperIn(other)];
    const plain = ({ questions }: SubjectFile) =>
      questions.map(({ number: _, ...question }) => question);
    assert.deepEqual(plain(after), plain(before));
  });
});

/** A workbook with one sheet of texts and numbers. */
function workbook(rows: readonly (readonly (string | number)[])[]): Uint8Array {
  const cell = (value: string | number, column: number, row: number) => {
    const name = `${String.fromCharCode(65 + column)}${row + 1}`;
    return typeof value === 'number'
      ? `<c r="${name}"><v>${value}</v></c>`
      : `<c r="${name}" t="inlineStr"><is><t>${value}</t></is></c>`;
  };
  const lines = rows.map(
    (row, index) =>
      `<row r="${index + 1}">${row.map((value, column) => cell(value, column, index)).join('')}</row>`,
  );
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Quiz" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${lines.join('')}</sheetData></worksheet>`,
  });
}

describe('A sheet of Excel', () => {
  it('has names of columns as people write them, and answers as numbers of options', async () => {
    const header = [
      'Question Text',
      'Option 1',
      'Option 2',
      'Option 3',
      'Correct Answer',
      'Explanation',
    ];
    const rows = numbers.map((number) => [
      `What is ${number}/2?`,
      'none',
      `half of ${number}`,
      'all',
      1 + (number % 3),
      'Divide.',
    ]);
    const file = await fileOf('q.xlsx', workbook([['My quiz'], header, ...rows]));
    const { dir, stdout } = await importFile(file);
    assert.match(stdout, /^45 of 45 questions imported: 45 mcq\.$/m);
    const { questions } = await paperIn(dir);
    assert.deepEqual(
      questions.slice(0, 3).map(({ answer, solution }) => `${answer} ${solution}`),
      ['B Divide.', 'C Divide.', 'A Divide.'],
    );
  });
});

describe('JSON', () => {
  it('is imported by mapping: nested properties, texts and numbers as answers', async () => {
    const list = [
      {
        question: {
          stem: 'Two?',
          choices: [
            { text: 'one', label: 'A' },
            { text: '2', label: 'B' },
          ],
        },
        answerKey: 'B',
      },
      {
        question: {
          stem: 'Three?',
          choices: [
            { text: '3', label: 'A' },
            { text: 'x', label: 'B' },
          ],
        },
        answerKey: 'A',
      },
    ];
    const { dir } = await schoolBank();
    const file = await fileOf('a.jsonl', list.map((one) => JSON.stringify(one)).join('\n'));
    const map = 'question=question.stem,options=question.choices,answer=answerKey';
    const { status, stdout } = await runCommand(['import', file, '--to', place, '--map', map], {
      CONTENT_DIR: dir,
    });
    assert.equal(status, 0, stdout);
    const { questions } = await paperIn(dir);
    assert.deepEqual(
      questions.map(({ question, answer, options }) => [
        question,
        answer,
        options.map(({ value }) => value),
      ]),
      [
        ['Two?', 'B', ['one', '2']],
        ['Three?', 'A', ['3', 'x']],
      ],
    );
  });

  it('without the needed properties lists those that it has', async () => {
    const { stderr } = await importFile(await fileOf('a.json', '[{"frage": "x", "lösung": "y"}]'));
    assert.match(
      stderr,
      /The properties are: "frage", "lösung"\. Rename one, or add --map question=NAME\./,
    );
  });

  it('says from which number it counted answers', async () => {
    const list = [{ question: 'x?', choices: ['p', 'q', 'r'], answer: 1 }];
    const { stdout } = await importFile(await fileOf('a.json', JSON.stringify(list)));
    assert.match(stdout, /answer: "1" was read as the number of an option, from 1/);
  });

  it('counts answers in lists from 0 if one of the file is 0, and refuses a list with an unknown one', async () => {
    const choices = ['p', 'q', 'r'];
    const list = [[1, 2], [0], [1, 3]].map((answers, index) => ({
      question: `x${index}?`,
      choices,
      answers,
    }));
    const { dir, stdout } = await importFile(await fileOf('a.json', JSON.stringify(list)));
    const { questions } = await paperIn(dir);
    assert.deepEqual(
      questions.map(({ answer }) => answer),
      ['B,C', 'A'],
    );
    assert.match(stdout, /"Row 3": not imported: the answer "3" is no option/);
  });
});

describe('Text', () => {
  it('in Aiken is questions without numbers', async () => {
    const aiken = 'Which is even?\nA. 1\nB. 2\nANSWER: B\n\nWhich is odd?\nA) 3\nB) 4\nANSWER: A\n';
    const { dir, diagnostics } = await importFile(await fileOf('a.txt', aiken));
    const { questions } = await paperIn(dir);
    assert.deepEqual(
      questions.map(({ question, answer }) => `${question} ${answer}`),
      ['Which is even? B', 'Which is odd? A'],
    );
    assert.deepEqual(diagnostics, []);
  });

  it('has the images beside its file, and others are reported', async () => {
    const images = '![A dot](dot.png) ![](none.png) ![](../dot.png)';
    const file = await fileOf('a.txt', `1. What is ${images} this?\nAnswer: dot\n`);
    await writeFile(join(dirname(file), 'dot.png'), png(2, 2));
    const { dir, stdout } = await importFile(file);
    const [question] = (await paperIn(dir)).questions;
    const name = `${question?.id}-1.png`;
    assert.deepEqual(question?.diagrams, [{ file: name, alt: 'A dot' }]);
    assert.match(question.question, new RegExp(`^What is !\\[\\]\\(${name}\\) +this\\?$`));
    assert.match(stdout, /images: none\.png; images: \.\.\/dot\.png/);
  });

  it('has statements in a question, options on one line, and a key at the end', async () => {
    const text =
      'Section A\n\n1. Consider:\n1. Two is even.\n2. Three is odd.\nWhich are true?\n(a) 1 only (b) both (c) none\n\n2) Two plus two?\nA. 4\nB. 5\n\nAnswer key\n1. b\n2. A\n';
    const { dir } = await importFile(await fileOf('a.txt', text));
    const { questions } = await paperIn(dir);
    assert.deepEqual(
      questions.map(({ question, answer, section, options }) => [
        question,
        answer,
        section,
        options.length,
      ]),
      [
        ['Consider:\n1. Two is even.\n2. Three is odd.\nWhich are true?', 'B', 'Section A', 3],
        ['Two plus two?', 'A', 'Section A', 2],
      ],
    );
  });
});

describe('The same place', () => {
  it('gets more questions with --append, and those of a CSV export by their ids', async () => {
    const bank = await schoolBank();
    await importFile(await fileOf('a.csv', 'question,A,B,answer\nOne?,1,2,A\n'), bank);
    const settings = { CONTENT_DIR: bank.dir, DATA_DIR: noDataDir };
    const more = await fileOf('b.csv', 'question,A,B,answer\nTwo?,1,2,B\n');
    assert.match(
      (await runCommand(['import', more, '--to', place], settings)).stderr,
      /exists\. Add its questions with --append/,
    );
    await runCommand(['import', more, '--to', place, '--append'], settings);
    const csv = await runCommand(['export', place, '--format', 'csv'], settings);
    const sheet = await fileOf('edited.csv', csv.stdout.replace('Two?', 'Two or three?'));
    const { stdout } = await runCommand(['import', sheet, '--to', place], settings);
    assert.match(
      stdout,
      /^~ school-2026-01-20-s1-science-02: question: "Two\?" -> "Two or three\?"$/m,
    );
    const { questions } = await paperIn(bank.dir);
    assert.deepEqual(
      questions.map(({ question }) => question),
      ['One?', 'Two or three?'],
    );
  });

  it('keeps its questions if those of another file have the same numbers, answers and options', async () => {
    const written = (...texts: readonly string[]) =>
      [
        `1. ${texts[0]}\nAnswer: 2`,
        `2. ${texts[1]}\nAnswer: Newton`,
        `3. ${texts[2]}\nA. True\nB. False\nAnswer: A`,
        `4. ${texts[3]}\nA. 1\nB. 2\nAnswer: B`,
        `5. Which is right?\nA. ${texts[4]}\nB. none\nAnswer: B\n`,
      ].join('\n\n');
    const bank = await schoolBank();
    const first = written('What is 1 + 1?', 'Who?', 'Ice floats.', 'Which is even?', 'all');
    await importFile(await fileOf('a.txt', first), bank);
    const before = (await paperIn(bank.dir)).questions;
    const second = written('How many moons has Mars?', 'Whose law?', 'Wood burns.', 'Two?', 'one');
    const args = ['import', await fileOf('b.txt', second), '--to', place, '--append'];
    await runCommand(args, { CONTENT_DIR: bank.dir });
    const { questions } = await paperIn(bank.dir);
    assert.equal(questions.length, 10);
    assert.deepEqual(questions.slice(0, 5), before);
  });

  it('drops a tolerance when the question gets options', async () => {
    const bank = await schoolBank();
    const csv = 'question,A,B,answer\nTwo?,,,2\n';
    await importFile(await fileOf('a.csv', csv), bank);
    const { questions, ...paper } = await paperIn(bank.dir);
    const edited = questions.map((one) => ({ ...one, tolerance: '0.1' }));
    await bank.write(`${place}.json`, { ...paper, questions: edited });
    const changed = await fileOf('a.csv', csv.replace(',,,2', ',one,two,B'));
    const { stdout, diagnostics } = await importFile(changed, bank);
    assert.match(stdout, /^~ \S+-01: tolerance: "0\.1" -> nothing$/m);
    assert.deepEqual(diagnostics, []);
  });

  it('updates the questions of a file, which have no numbers', async () => {
    const bank = await schoolBank();
    const csv = 'question,A,B,answer\nOne?,one,two,A\nTwo?,three,four,B\n';
    await importFile(await fileOf('a.csv', csv), bank);
    const edited = await fileOf('a.csv', csv.replace('Two?', 'Really two?'));
    const { stdout } = await importFile(edited, bank);
    assert.match(stdout, /^~ \S+-02: question: "Two\?" -> "Really two\?"$/m);
    assert.equal((await paperIn(bank.dir)).questions.length, 2);
  });

  it('names a format that is not read', async () => {
    const { stderr } = await importFile(await fileOf('a.pdf', '%PDF-1.4'));
    assert.match(stderr, /a\.pdf is PDF\. Import the document that it was made from\./);
  });
});
