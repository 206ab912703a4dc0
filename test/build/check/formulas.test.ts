import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { formulaProblem } from '../../../build/rules/katex.ts';
import type { ValidationSetting } from '../../../build/validate.ts';
import {
  type BankFolder,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  temporaryFolder,
} from '../bank-folder.ts';
import { testNow } from '../test-now.ts';
import { validateInThread } from './validate-in-thread.ts';

const { mcq } = sampleQuestions;
const valid = paperOf({ ...mcq, question: 'What is $\\frac{1}{2}$, and $$\\int_0^1 x\\,dx$$?' });
const broken = paperOf({ ...mcq, question: 'What is $\\frac{1}{2}$ of $\\frac{1$?' });

async function setting({ dir }: BankFolder): Promise<ValidationSetting> {
  return { contentDir: dir, dataDir: join(await temporaryFolder(), 'data'), now: testNow };
}

async function cacheFileOf({ dataDir }: ValidationSetting): Promise<string> {
  const files = await readdir(join(dataDir, 'cache'));
  assert.equal(files.length, 1, files.join());
  return join(dataDir, 'cache', files[0] ?? '');
}

async function rulesBroken(run: ValidationSetting): Promise<string[]> {
  return (await validateInThread(run)).diagnostics.map(({ rule }) => rule);
}

describe('The cache of formulas that KaTeX accepts', () => {
  it('is not written again if there are no new formulas', async () => {
    const run = await setting(await makeBank({ [paperPath]: valid }));
    assert.deepEqual(await rulesBroken(run), []);
    const cacheFile = await cacheFileOf(run);
    const { mtimeMs, ino } = await stat(cacheFile);
    assert.deepEqual(await rulesBroken(run), []);
    const again = await stat(cacheFile);
    assert.deepEqual([again.mtimeMs, again.ino], [mtimeMs, ino]);
  });

  it('never has a formula that KaTeX rejects', async () => {
    const run = await setting(await makeBank({ [paperPath]: broken }));
    for (let time = 0; time < 3; time += 1) assert.deepEqual(await rulesBroken(run), ['formula']);
  });

  it('distinguishes inline formulas from display formulas', async () => {
    const bank = await makeBank({ [paperPath]: paperOf({ ...mcq, question: '$$x \\tag{1}$$' }) });
    const run = await setting(bank);
    assert.deepEqual(await rulesBroken(run), []);
    await bank.write(paperPath, paperOf({ ...mcq, question: '$x \\tag{1}$' }));
    assert.deepEqual(await rulesBroken(run), ['formula']);
  });

  const damages: readonly [string, (bytes: Buffer) => Buffer][] = [
    ['empty', () => Buffer.alloc(0)],
    ['truncated', (bytes) => bytes.subarray(0, bytes.length - 12)],
    ['altered', (bytes) => Buffer.from(bytes.map((byte, index) => (index === 40 ? byte ^ 1 : byte)))],
    ['something else', () => Buffer.from('{}')],
  ];
  for (const [sentence, damage] of damages) {
    it(`is written again when its file is ${sentence}`, async () => {
      const run = await setting(await makeBank({ [paperPath]: valid }));
      await rulesBroken(run);
      const cacheFile = await cacheFileOf(run);
      const whole = await readFile(cacheFile);
      await writeFile(cacheFile, damage(whole));
      assert.deepEqual(await rulesBroken(run), []);
      assert.deepEqual(await readFile(cacheFile), whole);
    });
  }

  it('is optional: validation works if it cannot be written', async () => {
    const run = await setting(await makeBank({ [paperPath]: broken }));
    await writeFile(run.dataDir, 'a file, not a folder');
    assert.deepEqual(await rulesBroken(run), ['formula']);
  });
});

describe('KaTeX', () => {
  /** The formulas that one run renders, sorted. */
  async function rendered(run: ValidationSetting): Promise<string[]> {
    const formulas: string[] = [];
    await validateInThread(run, async () => (formula) => {
      formulas.push(formula);
      return formulaProblem(formula);
    });
    return formulas.sort();
  }

  it('renders one formula of each shape, and never again if it was valid', async () => {
    const other = 'neet/2025/2025-05-04-s1/physics.json';
    const bank = await makeBank({
      [paperPath]: paperOf({ ...mcq, question: 'Is $x$ less than $y$, or $$x$$, or $x^2$?' }),
      [other]: paperOf({ ...mcq, id: 'q2', question: 'Is $z^3$ less than $\\frac{1$?' }),
    });
    const run = await setting(bank);
    assert.deepEqual(await rendered(run), ['$$x$$', '$\\frac{1$', '$x$', '$x^2$']);
    assert.deepEqual(await rendered(run), ['$\\frac{1$']);
    await bank.set(other, '/questions/0/question', 'Is $w$ less than $w + 1$?');
    assert.deepEqual(await rendered(run), ['$w + 1$']);
    assert.deepEqual(await rendered(run), []);
  });
});
