import assert from 'node:assert/strict';
import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { examPath, makeBank, paperOf, paperPath, sampleQuestions, shiftPath } from '../bank-folder.ts';
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

async function textOf(dir: string, path = paperPath): Promise<string> {
  return readFile(join(dir, path), 'utf8');
}

describe('validate --fix', () => {
  it('changes only what is wrong, says so by file and rule, and validates the result', async () => {
    const { dir } = await makeBank({ [paperPath]: written });
    const outcome = await runCommand(['validate', '--fix'], { CONTENT_DIR: dir });
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
    const outcome = await runCommand(['validate', '--fix'], { CONTENT_DIR: dir });
    assert.equal(outcome.stderr, '');
    assert.equal((await stat(join(dir, paperPath))).ino, before.ino);
  });

  it('makes a file JSON where only backslashes and commas are wrong, and fixes what that uncovers', async () => {
    const { dir } = await makeBank({
      [paperPath]: fixed
        .replace('2 \\\\times 3', '\\sqrt{2} \\times \\(x\\)')
        .replace(', "difficulty": "easy" }', ', "difficulty": "HARD", }'),
    });
    await runCommand(['validate', '--fix'], { CONTENT_DIR: dir });
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
    const outcome = await runCommand(['validate', '--fix'], { CONTENT_DIR: dir });
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
    const { stdout } = await runCommand(['validate', '--fix'], { CONTENT_DIR: dir });
    assert.match(stdout, /error diagram-image/);
    assert.deepEqual(await readdir(join(dir, shiftPath, 'diagrams')), ['q1.gif', 'q1.png']);
  });

  it('leaves what a person has to decide, and reports it', async () => {
    const text = JSON.stringify(paperOf({ ...mcq, question: '$2 \\fracc{1}{2}$ costs $5', answer: 'C' }));
    const { dir } = await makeBank({ [paperPath]: text });
    const outcome = await runCommand(['validate', '--fix'], { CONTENT_DIR: dir });
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
    await runCommand(['validate', '--fix'], { CONTENT_DIR: dir });
    assert.equal(await textOf(dir), fixed.replace('20%', '20\\\\%'));
  });

  it('fixes only the problems of the rules that are named', async () => {
    const { dir } = await makeBank({ [paperPath]: written });
    const outcome = await runCommand(['validate', '--fix', '--rule', 'schema'], { CONTENT_DIR: dir });
    assert.equal(await textOf(dir), written.replace('Easy', 'easy'));
    assert.equal(outcome.stdout, '1 question in 2 files: 0 errors, 0 warnings.\n');
  });

  it('preserves the permissions and the byte order mark of a file, unless that is reported, and leaves no other files', async () => {
    const { dir } = await makeBank({ [paperPath]: `\ufeff${written}` });
    await chmod(join(dir, paperPath), 0o640);
    await runCommand(['validate', '--fix', '--rule', 'schema'], { CONTENT_DIR: dir });
    assert.equal(await textOf(dir), `\ufeff${written.replace('Easy', 'easy')}`);
    await runCommand(['validate', '--fix'], { CONTENT_DIR: dir });
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
    const outcome = await runCommand(['validate', '--fix', '--since', 'first'], { CONTENT_DIR: content.dir });
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
