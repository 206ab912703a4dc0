import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { repository } from '../gateway/started-process.ts';
import { BankFolder, examPath, sampleExam, temporaryFolder } from './bank-folder.ts';
import { runCommand } from './command.ts';
import { validateFolder } from './validate-folder.ts';

async function runNew(dir: string, line: string) {
  return runCommand(['new', ...line.split(' ')], { CONTENT_DIR: dir });
}

async function emptyBank(): Promise<BankFolder> {
  return new BankFolder(await temporaryFolder());
}

/** A bank with an exam and the schemas, and no papers. */
async function bankWithExam(): Promise<BankFolder> {
  const bank = await emptyBank();
  await cp(join(repository, 'content/schema'), join(bank.dir, 'schema'), { recursive: true });
  await bank.write(examPath, sampleExam);
  return bank;
}

describe('new', () => {
  it('creates an exam, a shift and a year that lack only questions and need no formatting', async () => {
    const { dir } = await emptyBank();
    const exam = await runNew(dir, 'exam gate physics life-sciences --label GATE');
    assert.equal(exam.status, 0, exam.stderr);
    assert.match(
      exam.stdout,
      /^Created .*gate\/exam\.json\nNext: .*pastpaper new shift gate\/YYYY\/YYYY-MM-DD-s1\n$/,
    );
    assert.deepEqual(JSON.parse(await readFile(join(dir, 'gate/exam.json'), 'utf8')), {
      label: 'GATE',
      subjects: ['physics', 'life-sciences'],
    });
    assert.equal((await runNew(dir, 'shift gate/2025/2025-02-01-s1')).status, 0);
    const year = await runNew(dir, 'year gate/2025 02-01-s2 2025-02-02-s1');
    assert.equal(year.stdout.match(/^Created /gm)?.length, 4);
    const { report } = await validateFolder(dir, new Date('2100-01-01T00:00:00Z'));
    assert.deepEqual(
      report.diagnostics.map(({ rule }) => rule),
      Array(6).fill('placeholder'),
    );
    assert.equal((await runCommand(['validate', '--fix=layout'], { CONTENT_DIR: dir })).stderr, '');
  });

  it('creates a paper that names its schema, and says what to do next', async () => {
    const { dir } = await bankWithExam();
    const outcome = await runNew(dir, 'paper neet/2025/2025-05-04-s1/physics');
    const file = join(dir, 'neet/2025/2025-05-04-s1/physics.json');
    assert.equal(
      outcome.stdout,
      `Created ${file}\nNext: replace the sample question, then run npx pastpaper validate, and npx pastpaper preview ${file}\n`,
    );
    const { $schema } = JSON.parse(await readFile(file, 'utf8'));
    assert.equal($schema, '../../../schema/subject-file.schema.json');
  });

  it('overwrites no file', async () => {
    const bank = await bankWithExam();
    const paper = 'neet/2025/2025-05-04-s1/physics.json';
    await bank.write(paper, 'mine');
    const { status, stdout } = await runNew(bank.dir, 'shift neet/2025/2025-05-04-s1');
    assert.equal(status, 0);
    assert.equal(stdout.match(/^Created /gm)?.length, 2);
    assert.ok(stdout.includes(`Unchanged: ${join(bank.dir, paper)} exists.\n`), stdout);
    assert.equal(await readFile(join(bank.dir, paper), 'utf8'), 'mine');
    assert.equal((await runNew(bank.dir, 'shift neet/2025/2025-05-04-s1')).status, 1);
    assert.equal((await runNew(bank.dir, 'exam neet history')).status, 1);
    assert.deepEqual(JSON.parse(await readFile(join(bank.dir, examPath), 'utf8')), sampleExam);
  });

  const mistakes: readonly [line: string, message: RegExp][] = [
    ['chapter neet', /^Unknown kind "chapter"\. Available kinds: exam, year, shift, paper\.\n/],
    ['exam NEET physics', /^"NEET" is not an exam code\./],
    ['exam docs physics', /^"docs" is reserved\./],
    [
      'exam gate',
      /^Name the subjects of the exam: npx pastpaper new exam gate physics chemistry\n/,
    ],
    ['exam gate Physics', /^"Physics" is not a valid subject name\./],
    [
      'shift gate/2025/2025-05-04-s1',
      /Create it first: npx pastpaper new exam gate SUBJECT\.\.\.\n/,
    ],
    ['shift ../2025/2025-05-04-s1', /^"\.\." is not an exam code\./],
    ['shift neet/2025', /^Write EXAM\/YEAR\/SHIFT, not "neet\/2025"\.\n/],
    [
      'shift neet/2025/2024-05-04-s1',
      /^The shift "2024-05-04-s1" is in the folder of the year 2025\./,
    ],
    [
      'year neet/2025',
      /^Name the shifts of the year: npx pastpaper new year neet\/2025 05-04-s1 05-04-s2\n/,
    ],
    ['year neet/2025 02-30-s1', /^"2025-02-30-s1" names a date that does not exist\.\n/],
    [
      'paper neet/2025/2025-05-04-s1/phisics',
      /^"phisics" is not a subject of NEET: .* Did you mean "physics"\?\n/,
    ],
    ['paper neet/2025/2025-05-04-s1/history', / Add it to its exam\.json first\.\n/],
  ];
  it('rejects invalid arguments', async () => {
    const { dir } = await bankWithExam();
    for (const [line, message] of mistakes) {
      const { status, stdout, stderr } = await runNew(dir, line);
      assert.deepEqual([status, stdout], [2, ''], line);
      assert.match(stderr, message);
    }
  });
});
