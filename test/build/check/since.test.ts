import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Report } from '../../../build/check/diagnostic.ts';
import { changedFiles } from '../../../build/diff/git.ts';
import { validateContent } from '../../../build/validate.ts';
import {
  examPath,
  type Files,
  paperOf,
  sampleExam,
  sampleQuestions,
  temporaryFolder,
} from '../bank-folder.ts';
import { runCommand } from '../command.ts';
import { commitContent, type GitContent } from '../diff/git-folder.ts';
import { png } from '../image-bytes.ts';
import { testNow } from '../test-now.ts';

const { mcq } = sampleQuestions;
const first = 'neet/2024/2024-05-05-s1';
const second = 'neet/2024/2024-05-06-s1';
const drawn = {
  ...mcq,
  id: 'c1',
  question: 'What is drawn?',
  diagrams: [{ file: 'c1.png', alt: 'A ruler.' }],
};

/** Two papers have an invalid answer. */
const files: Files = {
  [examPath]: sampleExam,
  [`${first}/physics.json`]: paperOf({ ...mcq, id: 'p1', question: 'First?' }),
  [`${first}/biology.json`]: paperOf({ ...mcq, id: 'b1', question: 'Second?', answer: 'Z' }),
  [`${first}/chemistry.json`]: paperOf(drawn),
  [`${first}/diagrams/c1.png`]: png(2, 2),
  [`${second}/physics.json`]: paperOf({ ...mcq, id: 'p2', question: 'Third?', answer: 'Z' }),
};

async function since({ content }: GitContent, ref: string): Promise<Report> {
  const setting = { contentDir: content.dir, dataDir: await temporaryFolder(), now: testNow };
  return validateContent(setting, new Set(await changedFiles(content.dir, ref)));
}

/** `rule file` of each problem, in the order of the report. */
function problems({ diagnostics }: Report): string[] {
  return diagnostics.map(({ rule, file }) => `${rule} ${file}`);
}

describe('validate --since REF', () => {
  it('reports nothing if nothing changed, even if the content is invalid', async () => {
    const report = await since(await commitContent(files), 'first');
    assert.deepEqual(report, {
      diagnostics: [],
      summary: { files: 0, questions: 0, errors: 0, warnings: 0 },
    });
  });

  it('validates a changed paper, but not others of the shift', async () => {
    const repository = await commitContent(files);
    await repository.content.set(`${first}/physics.json`, '/questions/0/answer', 'Y');
    const report = await since(repository, 'first');
    assert.deepEqual(problems(report), [`answer-among-options ${first}/physics.json`]);
    assert.deepEqual(report.summary, { files: 1, questions: 1, errors: 1, warnings: 0 });
  });

  it('validates a translation whose original changed', async () => {
    const hindi = `${first}/physics.hi.json`;
    const options = mcq.options.map(({ key }) => ({ key, value: `${key} मान` }));
    const translation = {
      lastUpdated: '2024-06-01T10:00:00Z',
      questions: [{ id: 'p1', question: 'पहला?', options }],
    };
    const repository = await commitContent({ ...files, [hindi]: translation });
    await repository.content.set(`${first}/biology.json`, '/questions/0/answer', 'A');
    assert.deepEqual(problems(await since(repository, 'first')), []);
    await repository.content.set(`${first}/physics.json`, '/questions/0/solution', 'By definition.');
    assert.deepEqual(problems(await since(repository, 'first')), [`translation-complete ${hindi}`]);
  });

  it('validates a new paper, committed or not', async () => {
    const repository = await commitContent(files);
    const paper = `${second}/chemistry.json`;
    await repository.content.write(paper, paperOf({ ...mcq, id: 'n1', question: 'New?', answer: 'Z' }));
    assert.deepEqual(problems(await since(repository, 'first')), [`answer-among-options ${paper}`]);
    await repository.commit();
    assert.deepEqual(problems(await since(repository, 'first')), [`answer-among-options ${paper}`]);
    assert.deepEqual(problems(await since(repository, 'HEAD')), []);
  });

  it('reports an id that an unchanged paper has too', async () => {
    const repository = await commitContent(files);
    await repository.content.set(`${first}/physics.json`, '/questions/0/id', 'p2');
    const { diagnostics } = await since(repository, 'first');
    assert.deepEqual(
      diagnostics.map(({ rule, file, related }) => [rule, file, related?.map((place) => place.file)]),
      [['unique-ids', `${second}/physics.json`, [`${first}/physics.json`]]],
    );
  });

  it('reports a question text that an unchanged paper has too', async () => {
    const repository = await commitContent(files);
    await repository.content.set(`${second}/physics.json`, '/questions/0/question', 'First?');
    assert.deepEqual(problems(await since(repository, 'first')), [
      `repeated-stem ${second}/physics.json`,
      `answer-among-options ${second}/physics.json`,
    ]);
  });

  it('validates the papers of a shift whose diagrams changed', async () => {
    const repository = await commitContent(files);
    await repository.content.remove(`${first}/diagrams/c1.png`);
    const report = await since(repository, 'first');
    assert.deepEqual(
      [...new Set(report.diagnostics.map(({ file }) => file))],
      [`${first}/biology.json`, `${first}/chemistry.json`],
    );
    assert.equal(report.summary.files, 3);
  });

  it('reports papers whose subject was removed from exam.json', async () => {
    const repository = await commitContent(files);
    await repository.content.set(examPath, '/subjects', ['physics', 'chemistry']);
    assert.deepEqual(problems(await since(repository, 'first')), [`subject-allowed ${first}/biology.json`]);
  });

  it('reports papers whose exam.json was removed', async () => {
    const repository = await commitContent(files);
    await repository.content.remove(examPath);
    assert.ok(problems(await since(repository, 'first')).some((problem) => problem.startsWith('exam-file ')));
  });

  it('reports a new stray file, but not an old one', async () => {
    const repository = await commitContent({ ...files, 'old.txt': '' });
    await repository.content.write('new.txt', '');
    assert.deepEqual(problems(await since(repository, 'first')), ['stray-file new.txt']);
  });

  it('reports an unneeded exception only for a changed file', async () => {
    const exception = { rule: 'repeated-stem', pointer: '/questions/0', reason: 'It was asked twice.' };
    const exceptions = [
      { ...exception, file: `${first}/physics.json` },
      { ...exception, file: `${second}/physics.json` },
    ];
    const repository = await commitContent({ ...files, 'exceptions.json': { exceptions } });
    await repository.content.set(`${first}/physics.json`, '/questions/0/topic', 'Lengths');
    const { diagnostics } = await since(repository, 'first');
    assert.deepEqual(
      diagnostics.map(({ rule, pointer }) => [rule, pointer]),
      [['exception', '/exceptions/0']],
    );
  });

  it('validates everything if the exceptions changed', async () => {
    const repository = await commitContent(files);
    await repository.content.write('exceptions.json', { exceptions: [] });
    const { summary } = await since(repository, 'first');
    assert.deepEqual(summary, { files: 5, questions: 4, errors: 2, warnings: 0 });
  });

  it('exits with 0 without problems, and with 2 for an unknown ref', async () => {
    const { content } = await commitContent(files);
    const settings = { CONTENT_DIR: content.dir };
    const fine = await runCommand(['validate', '--since', 'first'], settings);
    assert.deepEqual([fine.status, fine.stdout], [0, '0 questions in 0 files: 0 errors, 0 warnings.\n']);
    const unknown = await runCommand(['validate', '--since', 'nowhere'], settings);
    assert.equal(unknown.status, 2);
    assert.match(unknown.stderr, /nowhere/);
    assert.doesNotMatch(unknown.stderr, /bug in the build|Usage/);
  });
});
