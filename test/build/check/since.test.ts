import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Report } from '../../../build/check/diagnostic.ts';
import { validateContent } from '../../../build/validate.ts';
import {
  type BankFolder,
  examPath,
  type Files,
  makeFolderOf,
  paperOf,
  sampleExam,
  sampleQuestions,
  testNow,
} from '../bank-folder.ts';
import { runCommand } from '../command.ts';
import { commitContent } from '../diff/git-folder.ts';
import { png } from '../image-bytes.ts';
import { filesBelow } from '../release-folder.ts';
import { noDataDir } from '../validate-folder.ts';

const { mcq } = sampleQuestions;
const first = 'neet/2024/2024-05-05-s1';
const second = 'neet/2024/2024-05-06-s1';
const diagrams = [{ file: 'c1.png', alt: 'A ruler.' }];

/** Two papers have an invalid answer, and a file is not part of a bank. */
const files: Files = {
  [examPath]: sampleExam,
  [`${first}/physics.json`]: paperOf({ ...mcq, id: 'p1', question: 'First?' }),
  [`${first}/biology.json`]: paperOf({ ...mcq, id: 'b1', question: 'Second?', answer: 'Z' }),
  [`${first}/chemistry.json`]: paperOf({ ...mcq, id: 'c1', question: 'What is drawn?', diagrams }),
  [`${first}/diagrams/c1.png`]: png(2, 2),
  'old.txt': '',
  [`${second}/physics.json`]: paperOf({ ...mcq, id: 'p2', question: 'Third?', answer: 'Z' }),
};

/** Validates what a change of these files has changed. */
async function sinceChange(
  before: Files,
  change: (content: BankFolder) => Promise<unknown>,
): Promise<Report> {
  const content = await makeFolderOf(before);
  const old = await filesBelow(content.dir);
  await change(content);
  const now = await filesBelow(content.dir);
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter(
    (path) => !old.get(path)?.equals(now.get(path) ?? Buffer.alloc(0)),
  );
  const setting = { contentDir: content.dir, dataDir: noDataDir, now: testNow };
  return validateContent(setting, new Set(changed));
}

/** `rule file` of each problem, in the order of the report. */
function problems({ diagnostics }: Report): string[] {
  return diagnostics.map(({ rule, file }) => `${rule} ${file}`);
}

/** A change of the content, and what is reported of it. */
type Change = readonly [
  what: string,
  change: (content: BankFolder) => Promise<unknown>,
  expected: readonly string[],
];

const changes: readonly Change[] = [
  ['nothing if nothing changed, even if the content is invalid', async () => undefined, []],
  [
    'a changed paper, but not others of the shift',
    (content) => content.set(`${first}/physics.json`, '/questions/0/answer', 'Y'),
    [`answer-among-options ${first}/physics.json`],
  ],
  [
    'an id that an unchanged paper has too',
    (content) => content.set(`${first}/physics.json`, '/questions/0/id', 'p2'),
    [`unique-ids ${second}/physics.json`],
  ],
  [
    'a question text that an unchanged paper has too',
    (content) => content.set(`${second}/physics.json`, '/questions/0/question', 'First?'),
    [`repeated-stem ${second}/physics.json`, `answer-among-options ${second}/physics.json`],
  ],
  [
    'the papers of a shift whose diagrams changed',
    (content) => content.remove(`${first}/diagrams/c1.png`),
    [`answer-among-options ${first}/biology.json`, `diagram-exists ${first}/chemistry.json`],
  ],
  [
    'the first paper of an exam whose exam.json was removed',
    (content) => content.remove(examPath),
    [`exam-file ${first}/biology.json`],
  ],
  [
    'the whole bank if the exceptions changed',
    (content) => content.write('exceptions.json', { exceptions: [] }),
    [
      `answer-among-options ${first}/biology.json`,
      `answer-among-options ${second}/physics.json`,
      'stray-file old.txt',
    ],
  ],
];

describe('validate --since REF', () => {
  for (const [what, change, expected] of changes) {
    it(`reports ${what}`, async () => {
      assert.deepEqual(problems(await sinceChange(files, change)), expected);
    });
  }

  it('validates a translation whose original changed', async () => {
    const hindi = `${first}/physics.hi.json`;
    const options = mcq.options.map(({ key }) => ({ key, value: `${key} मान` }));
    const translation = {
      lastUpdated: '2024-06-01T10:00:00Z',
      questions: [{ id: 'p1', question: 'पहला?', options }],
    };
    const found = (paper: string, pointer: string, value: string) =>
      sinceChange({ ...files, [hindi]: translation }, (content) =>
        content.set(`${first}/${paper}`, pointer, value),
      );
    assert.deepEqual(problems(await found('biology.json', '/questions/0/answer', 'A')), []);
    const report = await found('physics.json', '/questions/0/solution', 'By definition.');
    assert.deepEqual(problems(report), [`translation-complete ${hindi}`]);
  });

  it('reports an unneeded exception only for a changed file', async () => {
    const exception = {
      rule: 'repeated-stem',
      pointer: '/questions/0',
      reason: 'It was asked twice.',
    };
    const exceptions = [
      { ...exception, file: `${first}/physics.json` },
      { ...exception, file: `${second}/physics.json` },
      { rule: 'option-texts', reason: 'They are short.' },
    ];
    const { diagnostics } = await sinceChange(
      { ...files, 'exceptions.json': { exceptions } },
      (content) => content.set(`${first}/physics.json`, '/questions/0/topic', 'Lengths'),
    );
    assert.deepEqual(
      diagnostics.map(({ rule, pointer }) => [rule, pointer]),
      [['exception', '/exceptions/0']],
    );
  });

  it('counts the files that differ from the ref, and exits with 2 for an unknown ref', async () => {
    const { content } = await commitContent(files);
    const settings = { CONTENT_DIR: content.dir };
    await content.set(`${first}/physics.json`, '/questions/0/answer', 'Y');
    const changed = await runCommand(['validate', '--since', 'first'], settings);
    assert.equal(changed.status, 1);
    assert.match(changed.stdout, /\n1 question in 1 file: 1 error, 0 warnings\.\n$/);
    const unknown = await runCommand(['validate', '--since', 'nowhere'], settings);
    assert.equal(unknown.status, 2);
    assert.match(unknown.stderr, /nowhere/);
    assert.doesNotMatch(unknown.stderr, /bug in the build|Usage/);
  });
});
