import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Diagnostic, Location, Report } from '../../../build/check/diagnostic.ts';
import { LiveBank } from '../../../build/preview/bank.ts';
import { paperPage } from '../../../build/preview/paper-page.ts';
import { problemsOf } from '../../../build/preview/problems.ts';
import {
  type BankFolder,
  examPath,
  type Files,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
  temporaryFolder,
} from '../bank-folder.ts';
import { svg } from '../image-bytes.ts';
import { validateFolder } from '../validate-folder.ts';

/** A time at which no file counts as recently written. */
const later = new Date('2100-01-01T00:00:00Z');

const { mcq, numerical } = sampleQuestions;
const otherPaper = 'neet/2023/2023-05-07-s1/chemistry.json';
const other = { ...numerical, id: 'q2', question: 'What is half of $1$?', answer: '0.5' };

function countOf(report: Report | undefined): number {
  return report?.diagnostics.length ?? Number.NaN;
}

/** A bank of two shifts. */
function makeTwoShifts(files: Files = {}): Promise<BankFolder> {
  return makeBank({ [otherPaper]: paperOf(other), ...files });
}

async function open({ dir }: BankFolder, clock = () => later): Promise<LiveBank> {
  return LiveBank.open({ contentDir: dir, dataDir: await temporaryFolder(), clock });
}

/**
 * Checks a bank after a change, and asserts that the report equals that of a validation without a cache.
 *
 * @returns the number of problems
 */
async function problemsAfter(bank: LiveBank, change: () => Promise<unknown>): Promise<number> {
  await change();
  await bank.check();
  assert.deepEqual(bank.report, (await validateFolder(bank.contentDir, later)).report);
  return countOf(bank.report);
}

it('A page that was begun before a change has the version before it, so that it is reloaded', async () => {
  const bank = await open(await makeTwoShifts());
  await bank.refresh();
  const [folder] = bank.content.shifts;
  const [place] = folder?.papers ?? [];
  assert.ok(folder && place);
  const { version } = bank;
  const begun = paperPage(bank, folder, place);
  bank.fail('The content changed.');
  assert.notEqual(bank.version, version);
  assert.equal((await begun).version, version);
});

describe('A repeated check reports the same as a first check', () => {
  it('when files do not parse, are added, and are removed', async () => {
    const folder = await makeTwoShifts();
    const bank = await open(folder);
    const parsed = await problemsAfter(bank, () => folder.write(paperPath, '{"questions": [}'));
    assert.equal(parsed, 1);
    await problemsAfter(bank, () => folder.remove(paperPath));
    await problemsAfter(bank, () => folder.write(`${shiftPath}/biology.json`, paperOf(mcq)));
    await problemsAfter(bank, () => folder.write(`${shiftPath}/diagrams/q9.svg`, svg(3, 2)));
    await problemsAfter(bank, () => folder.remove(`${shiftPath}/diagrams`));
    await problemsAfter(bank, () => folder.set(examPath, '/subjects', ['physics']));
    await problemsAfter(bank, () => folder.remove(examPath));
  });

  it('when two papers get and lose the same id', async () => {
    const folder = await makeTwoShifts();
    const bank = await open(folder);
    const idOfOther = (id: string) => () => folder.set(otherPaper, '/questions/0/id', id);
    assert.equal(await problemsAfter(bank, idOfOther('q1')), 1);
    assert.equal(await problemsAfter(bank, idOfOther('q2')), 0);
  });
});

describe('A checked bank', () => {
  it('is checked in worker threads if it is large, and stops when it is closed', async () => {
    const subjects = Array.from({ length: 200 }, (_, index) => `subject-${index}`);
    const papers = subjects.map((subject) => [`${shiftPath}/${subject}.json`, paperOf(mcq)]);
    const folder = await makeBank(Object.fromEntries(papers));
    const closed = await open(folder);
    const check = closed.refresh();
    await closed.close();
    await check;
    assert.equal(closed.report, undefined);
    const bank = await open(folder);
    await bank.refresh();
    assert.equal(bank.warning, undefined);
    assert.equal(bank.facts.size, subjects.length + 1);
  });

  it('compares dates with the time of the check', async () => {
    const now = { value: later };
    const folder = await makeTwoShifts();
    const bank = await open(folder, () => now.value);
    await bank.check();
    assert.equal(countOf(bank.report), 0);
    await folder.set(
      paperPath,
      '/lastUpdated',
      new Date(later.getTime() + 1_800_000).toISOString(),
    );
    await bank.check();
    assert.equal(countOf(bank.report), 1);
    now.value = new Date(later.getTime() + 3_600_000);
    await folder.set(paperPath, '/questions/0/topic', 'Lengths');
    await bank.check();
    assert.equal(countOf(bank.report), 0);
  });
});

const questions = [
  { lines: { line: 3, endLine: 9 }, text: '"q1.svg"' },
  { lines: { line: 10, endLine: 20 }, text: '' },
];

function diagnostic(file: string, pointer: string, related: readonly Location[] = []): Diagnostic {
  return { rule: 'rule', severity: 'error', pointer, ...location(file, 1), related };
}

function location(file: string, line: number): Location {
  return {
    message: 'It is wrong.',
    file,
    line,
    column: 1,
    endLine: line,
    endColumn: 2,
    excerpt: [],
  };
}

/** The number of problems at the file and at each question. */
function counts(one: Diagnostic): number[] {
  const { ofFile, ofQuestions } = problemsOf([one], paperPath, questions);
  return [ofFile.length, ...ofQuestions.map(({ length }) => length)];
}

describe('A problem is shown', () => {
  const diagram = (name: string) => diagnostic(`${shiftPath}/diagrams/${name}`, '');
  const elsewhere = (...lines: number[]) =>
    diagnostic(
      `${shiftPath}/chemistry.json`,
      '/questions/0',
      lines.map((line) => location(paperPath, line)),
    );
  const cases: readonly (readonly [Diagnostic, counts: readonly number[]])[] = [
    // Beside the question of its JSON pointer.
    [diagnostic(paperPath, '/questions/1'), [0, 0, 1]],
    [diagnostic(paperPath, '/questions/0/options/1/value'), [0, 1, 0]],
    // At the top, if it concerns the file or an unknown question.
    ...['', '/lastUpdated', '/questions/10'].map(
      (pointer) => [diagnostic(paperPath, pointer), [1, 0, 0]] as const,
    ),
    // Beside the question of its diagram; on the first page, if no question of the paper has it.
    [diagram('q1.svg'), [0, 1, 0]],
    [diagram('q9.svg'), [0, 0, 0]],
    // Beside the question that another file contradicts.
    [elsewhere(12), [0, 0, 1]],
    [elsewhere(2), [1, 0, 0]],
    // Not on the pages of other papers.
    [elsewhere(), [0, 0, 0]],
    [diagnostic('neet/2023/2023-05-07-s1/diagrams/q1.svg', ''), [0, 0, 0]],
  ];
  for (const [problem, expected] of cases) {
    const { file, pointer, related = [] } = problem;
    it(`in its place: ${file}${pointer} ${related.map(({ line }) => line)}`, () =>
      assert.deepEqual(counts(problem), expected));
  }
});
