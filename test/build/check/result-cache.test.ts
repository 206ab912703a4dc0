import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { defaultBank } from '../../../build/release/config.ts';
import type { ValidationSetting } from '../../../build/run/setting.ts';
import { validateContent } from '../../../build/validate.ts';
import {
  type BankFolder,
  examPath,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
  temporaryFolder,
} from '../bank-folder.ts';
import { png } from '../image-bytes.ts';

const drawn = { ...sampleQuestions.mcq, diagrams: [{ file: 'q1.png', alt: 'A ruler of 30 cm.' }] };
const diagramPath = `${shiftPath}/diagrams/q1.png`;
const otherPath = 'neet/2025/2025-05-04-s1/physics.json';

interface Run extends Omit<ValidationSetting, 'bank'> {
  readonly bank: BankFolder;
}

/** A valid bank that was validated twice, when its files no longer counted as recently written. */
async function validatedBank(): Promise<Run> {
  const bank = await makeBank({
    [paperPath]: paperOf(drawn),
    [diagramPath]: png(2, 2),
    [otherPath]: paperOf({ ...sampleQuestions.numerical, id: 'q2' }),
  });
  const run = { bank, contentDir: bank.dir, dataDir: await temporaryFolder(), now: later };
  for (let time = 0; time < 2; time += 1) assert.deepEqual(await rules(run), []);
  return run;
}

/** At this time, no file of a test counts as recently written. */
const later = new Date('2200-01-01T00:00:00Z');

async function rules(run: Omit<ValidationSetting, 'bank'>): Promise<string[]> {
  return (await validateContent({ ...run, bank: defaultBank })).diagnostics.map(({ rule }) => rule);
}

async function cacheFileOf({ dataDir }: Run): Promise<string> {
  const folder = join(dataDir, 'cache');
  const name = (await readdir(folder)).find((file) => file.startsWith('results-'));
  return join(folder, name ?? '');
}

describe('Cached results', () => {
  it('are not used if Git tracks them, as in a pull request', async () => {
    const run = await validatedBank();
    const file = await cacheFileOf(run);
    const git = (...args: string[]) => execFileSync('git', ['-C', run.dataDir, ...args]);
    const isUsed = async () => {
      const { ino } = await stat(file);
      assert.deepEqual(await rules(run), []);
      return (await stat(file)).ino === ino;
    };
    assert.equal(await isUsed(), true);
    git('init', '--quiet');
    assert.equal(await isUsed(), true);
    git('add', 'cache');
    assert.equal(await isUsed(), false);
  });

  const changes: readonly [string, (run: Run) => Promise<void>, string[]][] = [
    [
      'a paper is changed to one of the same size and date',
      async ({ bank }) => {
        const file = join(bank.dir, paperPath);
        const { atime, mtime } = await stat(file);
        await bank.set(paperPath, '/questions/0/answer', 'Z');
        await utimes(file, atime, mtime);
      },
      ['answer-among-options'],
    ],
    ['a diagram is removed', ({ bank }) => bank.remove(diagramPath), ['diagram-exists']],
    [
      'an exam loses a subject',
      ({ bank }) => bank.set(examPath, '/subjects', ['biology']),
      ['subject-allowed', 'subject-allowed'],
    ],
    [
      'an id is repeated in another paper',
      ({ bank }) => bank.set(otherPath, '/questions/0/id', 'q1'),
      ['unique-ids'],
    ],
  ];
  for (const [sentence, change, expected] of changes) {
    it(`are not used when ${sentence}`, async () => {
      const run = await validatedBank();
      await change(run);
      for (let time = 0; time < 2; time += 1)
        assert.deepEqual(await rules({ ...run, now: later }), expected);
    });
  }

  it('are not used for recently written files, even if their stats are unchanged', async () => {
    const validated = await validatedBank();
    await validated.bank.set(paperPath, '/questions/0/topic', 'Length');
    const run = { ...validated, now: (await stat(join(validated.bank.dir, paperPath))).mtime };
    assert.deepEqual(await rules(run), []);
    await run.bank.set(paperPath, '/questions/0/answer', 'Z');
    assert.deepEqual(await rules(run), ['answer-among-options']);
  });

  it('are not used when the cache is damaged', async () => {
    const run = await validatedBank();
    const cacheFile = await cacheFileOf(run);
    const whole = await readFile(cacheFile);
    for (const damaged of [
      whole.subarray(0, 100),
      whole.subarray(0, -36),
      Buffer.alloc(0),
      Buffer.from(whole).fill(1, 0, 8),
    ]) {
      await writeFile(cacheFile, damaged);
      assert.deepEqual(await rules(run), []);
      assert.deepEqual(await readFile(cacheFile), whole);
    }
  });

  it('of another version of the program are removed, but no other files of the data folder', async () => {
    const run = await validatedBank();
    await writeFile(join(run.dataDir, 'cache/results-of-older-rules'), '');
    await writeFile(join(run.dataDir, 'pastpaper.db'), '');
    await run.bank.set(paperPath, '/questions/0/topic', 'Length');
    assert.deepEqual(await rules({ ...run, now: later }), []);
    assert.equal((await readdir(join(run.dataDir, 'cache'))).length, 1);
    assert.ok((await readdir(run.dataDir)).includes('pastpaper.db'));
  });

  it('do not hide problems, such as a warning and an invalid formula', async () => {
    const invalid = paperOf({ ...sampleQuestions.mcq, question: 'What is $\\frac{1$?' });
    const bank = await makeBank({ [paperPath]: invalid, [diagramPath]: png(2, 2) });
    const run = { contentDir: bank.dir, dataDir: await temporaryFolder(), now: later };
    for (let time = 0; time < 3; time += 1)
      assert.deepEqual(await rules(run), ['unused-diagram', 'formula']);
  });
});
