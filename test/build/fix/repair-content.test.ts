import assert from 'node:assert/strict';
import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { repairContent } from '../../../build/fix/fix.ts';
import { examPath, makeBank, paperOf, paperPath, sampleQuestions, shiftPath } from '../bank-folder.ts';
import { runCommand } from '../command.ts';
import { commitContent } from '../diff/git-folder.ts';

const { mcq } = sampleQuestions;
const messy = JSON.stringify(paperOf({ ...mcq, question: 'Cafe\u0301 &amp; bar?' }));

describe('validate --fix', () => {
  it('writes the repaired files, lists them, and validates the result', async () => {
    const { dir } = await makeBank({ [paperPath]: messy });
    const outcome = await runCommand(['validate', '--fix'], { CONTENT_DIR: dir });
    assert.equal(outcome.stdout, '1 question in 2 files: 0 errors, 0 warnings.\n');
    assert.deepEqual(outcome.stderr.split('\n').sort().slice(1), [
      `Repaired ${paperPath}`,
      `Repaired ${examPath}`,
    ]);
    assert.equal(outcome.status, 0);
    const [question] = JSON.parse(await readFile(join(dir, paperPath), 'utf8')).questions;
    assert.equal(question.question, 'Café & bar?');
  });

  it('changes nothing in a second run', async () => {
    const { dir } = await makeBank({ [paperPath]: messy });
    assert.deepEqual(await repairContent(dir), [examPath, paperPath]);
    assert.deepEqual(await repairContent(dir), []);
  });

  it('leaves files that it cannot repair, and reports their problems', async () => {
    const { dir } = await makeBank({ [paperPath]: '{ "questions": ' });
    const outcome = await runCommand(['validate', '--fix'], { CONTENT_DIR: dir });
    assert.equal(outcome.status, 1);
    assert.match(outcome.stdout, /error syntax/);
    assert.equal(await readFile(join(dir, paperPath), 'utf8'), '{ "questions": ');
  });

  it('preserves the permissions of a file, and leaves no other files', async () => {
    const { dir } = await makeBank({ [paperPath]: messy });
    await chmod(join(dir, paperPath), 0o640);
    await repairContent(dir);
    assert.equal((await stat(join(dir, paperPath))).mode & 0o777, 0o640);
    assert.deepEqual(await readdir(join(dir, shiftPath)), ['physics.json']);
  });

  it('repairs only changed files with --since', async () => {
    const other = `${shiftPath}/chemistry.json`;
    const { content } = await commitContent({
      [examPath]: '{ "label": "NEET", "subjects": ["physics", "chemistry"] }',
      [paperPath]: messy,
      [other]: messy.replace('q1', 'q2').replace('bar', 'tea'),
    });
    await content.write(paperPath, messy.replace('bar', 'pub'));
    const outcome = await runCommand(['validate', '--fix', '--since', 'first'], { CONTENT_DIR: content.dir });
    assert.equal(outcome.stderr, `Repaired ${paperPath}\n`);
  });
});
