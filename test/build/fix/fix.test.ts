import assert from 'node:assert/strict';
import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  examPath,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
} from '../bank-folder.ts';
import { runCommand } from '../command.ts';
import { commitContent } from '../diff/git-folder.ts';
import { png } from '../image-bytes.ts';

const { mcq, msq } = sampleQuestions;
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
    assert.equal(
      outcome.stderr,
      `Fixed ${paperPath}: ${changes}\nFixed 6 problems in 1 file: ${changes}\n`,
    );
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

  it('names each change with --dry-run, and writes nothing', async () => {
    const { dir } = await makeBank({ [paperPath]: written });
    const { stderr } = await fix(dir, '--dry-run');
    assert.match(stderr, new RegExp(`^${paperPath}:\\d+:\\d+ schema: write "easy"$`, 'm'));
    assert.match(stderr, /^Would fix \d problems\. Nothing was written\.$/m);
    assert.equal(await textOf(dir), written);
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
      fixed
        .replace('2 \\\\times 3', '\\\\sqrt{2} \\\\times \\\\(x\\\\)')
        .replace('"easy"', '"hard"'),
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
    const { stdout, stderr } = await fix(dir);
    assert.match(stdout, /error diagram-image/);
    assert.match(stderr, /\nFixed 1 problem in 1 file: diagram-image 1\n/);
    assert.deepEqual(await readdir(join(dir, shiftPath, 'diagrams')), ['q1.gif', 'q1.png']);
  });

  it('leaves what a person has to decide, and reports it', async () => {
    const questions = [
      ...[
        '$2 \\fracc{1}{2}$ costs $5',
        'Is $“a”$ or $‘b’$ less than $x^2’$?',
        'The 2*n*th term',
        '**&nbsp;1* 2',
      ],
      ...['Is \u1fefa\u1fef it?', 'a*\\(x\\)*b', 'Find \\(\\frac{1\\).'],
    ];
    const papers = questions.map((question, index) => ({
      ...mcq,
      id: `q${index}`,
      question,
      answer: 'C',
    }));
    const text = JSON.stringify(paperOf(...papers)).replace('2*n*', 'the *n*');
    const { dir } = await makeBank({ [paperPath]: text });
    const outcome = await fix(dir);
    assert.equal(await textOf(dir), text);
    assert.equal(outcome.stderr, '');
    assert.equal(outcome.status, 1);
  });

  it('keeps the digits of a number, a formula between blank lines, and a line break that was a command', async () => {
    const question = 'One\n\n\n$x$\n\nis \\[\nu\\].';
    const text = JSON.stringify(paperOf({ ...sampleQuestions.numerical, answer: 'x', question }));
    const { dir } = await makeBank({ [paperPath]: text.replace('"x"', '5.10') });
    await fix(dir);
    const [after] = JSON.parse(await textOf(dir)).questions;
    assert.deepEqual([after.question, after.answer], ['One\n\n$x$\n\nis $$\nu$$.', '5.10']);
  });

  it('leaves what the bank lists as an exception', async () => {
    const { dir } = await makeBank({
      [paperPath]: written,
      'exceptions.json': {
        exceptions: [
          { rule: 'latex-outside-formula', question: 'q1', reason: 'The paper prints it so.' },
        ],
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
    assert.match(
      outcome.stderr,
      new RegExp(`^Fixed ${paperPath}: schema 1\nFixed 1 problem in 1 file`),
    );
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
    assert.match(
      await textOf(dir),
      /^\{\n {2}"lastUpdated": "2024-06-01T10:00:00Z",\n {2}"questions": \[\n {4}\{\n/,
    );
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
