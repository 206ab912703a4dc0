import assert from 'node:assert/strict';
import { chmod, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Report } from '../../../build/check/diagnostic.ts';
import { parseText } from '../../../build/content/markdown.ts';
import { Source } from '../../../build/content/positions.ts';
import { fixContent } from '../../../build/fix/fix.ts';
import { markdownRules } from '../../../build/rules/markdown.ts';
import { textRules } from '../../../build/rules/text.ts';
import {
  type BankFolder,
  examPath,
  type FileContent,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
} from '../bank-folder.ts';
import { runCommand } from '../command.ts';
import { commitContent } from '../diff/git-folder.ts';
import { png } from '../image-bytes.ts';
import { validateFolder } from '../validate-folder.ts';
import { messyBank } from './messy-bank.ts';

const { mcq, msq } = sampleQuestions;
const translationPath = `${shiftPath}/physics.hi.json`;

/** The paper of a bank and its problems, before and after each round of fixes. */
interface Round {
  readonly text: string;
  readonly report: Report;
}

async function fixRounds(bank: BankFolder) {
  const rounds: Round[] = [];
  const result = await fixContent(bank.dir, async () => {
    const { report } = await validateFolder(bank.dir);
    rounds.push({ report, text: await readFile(join(bank.dir, paperPath), 'utf8') });
    return report;
  });
  return { ...result, rounds, text: rounds.at(-1)?.text ?? '' };
}

/** Writes a paper, and the only diagrams of its shift. */
async function writePaper(bank: BankFolder, paper: FileContent, diagrams: readonly string[] = []): Promise<void> {
  await rm(join(bank.dir, shiftPath, 'diagrams'), { recursive: true, force: true });
  for (const file of diagrams) await bank.write(`${shiftPath}/diagrams/${file}`, png(2, 2));
  await bank.write(paperPath, paper);
}

/** The rules that a text breaks, also those that are not reported because of another problem in the same place. */
function brokenRules(text: string): Set<string> {
  const checked = { path: '', pointer: '', text };
  const marked = { ...checked, parsed: parseText(text), diagrams: [] };
  const broken = [
    ...textRules.filter((rule) => [...rule.check(checked)].length > 0),
    ...markdownRules.filter((rule) => [...rule.check(marked)].length > 0),
  ];
  return new Set(broken.map(({ name }) => name));
}

/** Asserts that a text breaks no rule that it did not break before. */
function assertNoNewProblem(before: string, after: string): void {
  const old = brokenRules(before);
  // The LaTeX between wrong delimiters is outside of formulas until they are corrected.
  if (old.has('formula-delimiters')) old.add('latex-outside-formula');
  // A carriage return hides that a line is blank.
  if (old.has('control-characters')) old.add('blank-lines');
  for (const rule of brokenRules(after)) assert.ok(old.has(rule), `${rule} in ${JSON.stringify(after)}`);
}

/** Asserts that all text between the ranges of the problems that may be fixed is also in the next text, in order. */
function assertOnlyRangesChanged(before: Round, after: string): void {
  const { text } = before;
  const source = new Source(text);
  let at = 0;
  let last = 0;
  for (const problem of before.report.diagnostics.filter(({ fix }) => fix !== undefined)) {
    const { start, end } = source.span(problem);
    const kept = text.slice(last, Math.max(start, last));
    const found = last === 0 ? (after.startsWith(kept) ? 0 : -1) : after.indexOf(kept, at);
    assert.ok(found >= 0, `changed: ${kept}`);
    at = found + kept.length;
    last = Math.max(last, end);
  }
  assert.ok(after.slice(at).endsWith(text.slice(last)), `changed: ${text.slice(last)}`);
}

describe('Fixing a paper', () => {
  it('with mistakes whose correction is certain writes the intended content, and nothing in a second run', async () => {
    const bank = await makeBank();
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (draw) => {
        const { paper, translation, diagrams } = messyBank(draw);
        await bank.write(translationPath, translation.written);
        await writePaper(bank, paper.written, diagrams);
        const { rounds, text, fixed } = await fixRounds(bank);
        const translated = await readFile(join(bank.dir, translationPath), 'utf8');
        assert.deepEqual(JSON.parse(text), paper.intended);
        assert.deepEqual(JSON.parse(translated), translation.intended);
        assert.ok(fixed.length > 0 || text === rounds[0]?.text);
        assert.deepEqual((await fixRounds(bank)).fixed, []);
        assert.equal(await readFile(join(bank.dir, paperPath), 'utf8'), text);
        assert.equal(await readFile(join(bank.dir, translationPath), 'utf8'), translated);
      }),
      { numRuns: 15 },
    );
  });

  /** Parts that combine to mistakes of all kinds. */
  const pieces = [
    ...'$ $$ \\( \\) \\[ \\] \\ \\\\ \\$ { } % \\% & &lt; &gt; &amp; &#36; &nbsp; &eacute; < > <b> </b>'.split(' '),
    ...'\\alpha \\text{ ’ ” x 1 less B = – ½ Ã© ^ _ ! / # ; \\begin{cases} |'.split(' '),
    ...['\times', '\frac{1}{2}', '\neq', '\nu', '\t', '\r\n', '\n', ' ', ' '],
    ...['\u2028', '\u200b', 'e\u0301', '\u0958', '\u0301'],
  ];
  const anyText = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));

  it('with any text changes only what is reported, finds no new problem, and leaves a file without problems', async () => {
    const bank = await makeBank();
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (question, value) => {
        const options = [
          { key: 'A', value: `a${value}` },
          { key: 'B', value: 'b' },
        ];
        await writePaper(bank, paperOf({ ...mcq, question: `x ${question}`, options }));
        const { rounds, report, text, fixed: problems } = await fixRounds(bank);
        for (const [index, round] of rounds.slice(0, -1).entries()) {
          assertOnlyRangesChanged(round, rounds[index + 1]?.text ?? '');
        }
        const [fixed] = JSON.parse(text).questions;
        assertNoNewProblem(`x ${question}`, fixed.question);
        assertNoNewProblem(`a${value}`, fixed.options[0].value);
        assert.deepEqual(
          report.diagnostics.filter(({ fix }) => fix !== undefined),
          [],
        );
        if (problems.length === 0) assert.equal(text, rounds[0]?.text);
      }),
      { numRuns: 60 },
    );
  });
});

/** A paper with a layout of its own: the only changes that a fix may make are those of the test. */
const written = `{"lastUpdated":   "2024-06-01T10:00:00Z",
 "questions": [ {"topic": "Caf\\u00e9s",	"id": "q1", "type": "msq", "question": "What is \\\\(2 \\times 3\\\\)?",
   "options": [{"key": "A", "value": "20\\\\% of it"}, {"key": "B", "value": "$50%$"} ],
 "answer": "B,A", "difficulty": "Easy" } ] }`;
const fixed = written
  .replace('\\\\(2 \\times 3\\\\)', '$2 \\\\times 3$')
  .replace('20\\\\%', '20%')
  .replace('50%', '50\\\\%')
  .replace('B,A', 'A,B')
  .replace('Easy', 'easy');

/** Runs `validate --fix`. */
function fix(dir: string, ...args: readonly string[]) {
  return runCommand(['validate', '--fix', ...args], { CONTENT_DIR: dir });
}

async function textOf(dir: string, path = paperPath): Promise<string> {
  return readFile(join(dir, path), 'utf8');
}

describe('validate --fix', () => {
  it('changes only what is wrong, says so by file and rule, and validates the result', async () => {
    const { dir } = await makeBank({ [paperPath]: written });
    const outcome = await fix(dir);
    assert.equal(await textOf(dir), fixed);
    const changes =
      'answer-among-options 1, control-characters 1, formula 1, formula-delimiters 1, latex-outside-formula 1, schema 1';
    assert.equal(outcome.stderr, `Fixed ${paperPath}: ${changes}\nFixed 6 problems in 1 file: ${changes}\n`);
    assert.equal(outcome.stdout, '1 question in 2 files: 0 errors, 0 warnings.\n');
    assert.equal(outcome.status, 0);
  });

  it('changes and says nothing in a second run', async () => {
    const { dir } = await makeBank({ [paperPath]: fixed });
    const before = await stat(join(dir, paperPath));
    const outcome = await fix(dir);
    assert.equal(outcome.stderr, '');
    assert.equal((await stat(join(dir, paperPath))).ino, before.ino);
  });

  it('makes a file JSON where only backslashes and commas are wrong, and fixes what that uncovers', async () => {
    const { dir } = await makeBank({
      [paperPath]: fixed
        .replace('2 \\\\times 3', '\\sqrt{2} \\times \\(x\\)')
        .replace(', "difficulty": "easy" }', ', "difficulty": "HARD", }'),
    });
    await fix(dir);
    assert.equal(
      await textOf(dir),
      fixed.replace('2 \\\\times 3', '\\\\sqrt{2} \\\\times \\\\(x\\\\)').replace('"easy"', '"hard"'),
    );
  });

  it('renames a diagram with a wrong extension, and every reference to it', async () => {
    const chemistry = `${shiftPath}/chemistry.json`;
    const drawn = (id: string, question: string) => ({
      ...mcq,
      id,
      question,
      diagrams: [{ file: 'q1-q2.jpg', alt: 'Two lines.' }],
    });
    const { dir } = await makeBank({
      [paperPath]: paperOf(drawn('q1', 'Which one?')),
      [chemistry]: paperOf(drawn('q2', 'Which other?')),
      [`${shiftPath}/diagrams/q1-q2.jpg`]: png(2, 2),
    });
    const before = [await textOf(dir), await textOf(dir, chemistry)];
    const outcome = await fix(dir);
    assert.deepEqual(outcome.stderr.split('\n').slice(2), [
      `Renamed ${shiftPath}/diagrams/q1-q2.jpg to q1-q2.png`,
      'Fixed 2 problems in 2 files: diagram-image 2',
      '',
    ]);
    assert.equal(outcome.status, 0, outcome.stdout);
    assert.deepEqual(await readdir(join(dir, shiftPath, 'diagrams')), ['q1-q2.png']);
    const after = [await textOf(dir), await textOf(dir, chemistry)];
    assert.deepEqual(
      after,
      before.map((text) => text.replace('q1-q2.jpg', 'q1-q2.png')),
    );
  });

  it('does not rename a diagram to the name of another', async () => {
    const { dir } = await makeBank({
      [paperPath]: paperOf({
        ...mcq,
        diagrams: ['jpg', 'gif'].map((type) => ({ file: `q1.${type}`, alt: 'A line.' })),
      }),
      [`${shiftPath}/diagrams/q1.jpg`]: png(2, 2),
      [`${shiftPath}/diagrams/q1.gif`]: png(3, 3),
    });
    const { stdout } = await fix(dir);
    assert.match(stdout, /error diagram-image/);
    assert.deepEqual(await readdir(join(dir, shiftPath, 'diagrams')), ['q1.gif', 'q1.png']);
  });

  it('leaves what a person has to decide, and reports it', async () => {
    const text = JSON.stringify(paperOf({ ...mcq, question: '$2 \\fracc{1}{2}$ costs $5', answer: 'C' }));
    const { dir } = await makeBank({ [paperPath]: text });
    const outcome = await fix(dir);
    assert.equal(await textOf(dir), text);
    assert.equal(outcome.stderr, '');
    assert.equal(outcome.status, 1);
  });

  it('leaves what the bank lists as an exception', async () => {
    const { dir } = await makeBank({
      [paperPath]: written,
      'exceptions.json': {
        exceptions: [{ rule: 'latex-outside-formula', question: 'q1', reason: 'The paper prints it so.' }],
      },
    });
    await fix(dir);
    assert.equal(await textOf(dir), fixed.replace('20%', '20\\\\%'));
  });

  it('fixes only the problems of the rules that are named', async () => {
    const { dir } = await makeBank({ [paperPath]: written });
    const outcome = await fix(dir, '--rule', 'schema');
    assert.equal(await textOf(dir), written.replace('Easy', 'easy'));
    assert.equal(outcome.stdout, '1 question in 2 files: 0 errors, 0 warnings.\n');
  });

  it('preserves the permissions and the byte order mark of a file, unless that is reported, and leaves no other files', async () => {
    const { dir } = await makeBank({ [paperPath]: `\ufeff${written}` });
    await chmod(join(dir, paperPath), 0o640);
    await fix(dir, '--rule', 'schema');
    assert.equal(await textOf(dir), `\ufeff${written.replace('Easy', 'easy')}`);
    await fix(dir);
    assert.equal(await textOf(dir), fixed);
    assert.equal((await stat(join(dir, paperPath))).mode & 0o777, 0o640);
    assert.deepEqual(await readdir(join(dir, shiftPath)), ['physics.json']);
  });

  it('fixes only changed files with --since', async () => {
    const other = `${shiftPath}/chemistry.json`;
    const misspelt = { ...msq, difficulty: 'Hard' as 'hard' };
    const { content } = await commitContent({
      [examPath]: { label: 'NEET', subjects: ['physics', 'chemistry'] },
      [paperPath]: paperOf(misspelt),
      [other]: paperOf({ ...misspelt, id: 'q2', question: 'Which others?' }),
    });
    await content.write(paperPath, paperOf({ ...misspelt, topic: 'Forces' }));
    const outcome = await fix(content.dir, '--since', 'first');
    assert.match(outcome.stderr, new RegExp(`^Fixed ${paperPath}: schema 1\nFixed 1 problem in 1 file`));
  });
});

describe('validate --fix=layout', () => {
  it('also formats the files, and lists those that it changed', async () => {
    const { dir } = await makeBank({ [paperPath]: written });
    const outcome = await runCommand(['validate', '--fix=layout'], { CONTENT_DIR: dir });
    assert.deepEqual(outcome.stderr.split('\n').slice(2).sort(), [
      '',
      `Formatted ${paperPath}`,
      `Formatted ${examPath}`,
    ]);
    assert.equal(outcome.stdout, '1 question in 2 files: 0 errors, 0 warnings.\n');
    assert.match(await textOf(dir), /^\{\n {2}"lastUpdated": "2024-06-01T10:00:00Z",\n {2}"questions": \[\n {4}\{\n/);
    assert.equal((await runCommand(['validate', '--fix=layout'], { CONTENT_DIR: dir })).stderr, '');
  });

  it('leaves files that it cannot format, and reports their problems', async () => {
    const { dir } = await makeBank({ [paperPath]: '{ "questions": ' });
    const outcome = await runCommand(['validate', '--fix=layout'], { CONTENT_DIR: dir });
    assert.equal(outcome.status, 1);
    assert.match(outcome.stdout, /error syntax/);
    assert.equal(await textOf(dir), '{ "questions": ');
  });
});
