import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formulaHash } from '../../../build/content/formulas.ts';
import { textHash } from '../../../build/content/question.ts';
import { formulaProblem } from '../../../build/rules/katex.ts';
import type { ValidationSetting } from '../../../build/run/setting.ts';
import {
  type BankFolder,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  temporaryFolder,
  testNow,
} from '../bank-folder.ts';
import { validateInThread } from './validate-in-thread.ts';

const { mcq } = sampleQuestions;
const broken = paperOf({ ...mcq, question: 'What is $\\frac{1}{2}$ of $\\frac{1$?' });

async function setting({ dir }: BankFolder): Promise<ValidationSetting> {
  return { contentDir: dir, dataDir: join(await temporaryFolder(), 'data'), now: testNow };
}

async function rulesBroken(run: ValidationSetting): Promise<string[]> {
  return (await validateInThread(run)).diagnostics.map(({ rule }) => rule);
}

describe('The cache of formulas that KaTeX accepts', () => {
  it('distinguishes inline formulas from display formulas', async () => {
    const bank = await makeBank({ [paperPath]: paperOf({ ...mcq, question: '$$x \\tag{1}$$' }) });
    const run = await setting(bank);
    assert.deepEqual(await rulesBroken(run), []);
    await bank.write(paperPath, paperOf({ ...mcq, question: '$x \\tag{1}$' }));
    assert.deepEqual(await rulesBroken(run), ['formula']);
  });

  it('is optional: validation works if it cannot be written', async () => {
    const run = await setting(await makeBank({ [paperPath]: broken }));
    await writeFile(run.dataDir, 'a file, not a folder');
    assert.deepEqual(await rulesBroken(run), ['formula']);
  });
});

function shape(formula: string): number {
  return formulaHash(`so ${formula} is`, 3, 3 + formula.length);
}

/** Whether other formulas may have the same shape. */
function isShared(formula: string): boolean {
  return shape(formula) !== textHash(formula);
}

/** Replaces the letters and digits of a formula by others, outside of commands. */
function relabelled(formula: string, draw: fc.GeneratorValue): string {
  const letter = () =>
    draw(fc.constantFrom, ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const digit = () => draw(fc.constantFrom, ...'0123456789');
  return formula.replace(/\\[a-zA-Z]+|\\[\s\S]|[a-zA-Z]|\d/g, (found) =>
    found.startsWith('\\') ? found : /\d/.test(found) ? digit() : letter(),
  );
}

/** Whether KaTeX renders a formula. */
function isValid(formula: string): boolean {
  return formulaProblem(formula) === undefined;
}

/** Parts of valid and invalid formulas. */
const pieces = [
  ...`a Z 7 0 + = ( ) [ ] | ' " @ ~ * / < . , { } ^ _ & \\, \\; \\! \\{ \\} \\% \\_ \\| \\& \\frac \\frac{1}{2}`.split(
    ' ',
  ),
  ...'\\sqrt \\sqrt[3] \\mathrm{kg} \\left \\right \\left( \\right) \\hat \\sum_ \\int \\lim\\limits \\Big'.split(
    ' ',
  ),
  ...'\\operatorname{ab} \\alpha \\times \\leq \\binom \\overline{x} \\displaystyle \\in \\ldots \\quad'.split(
    ' ',
  ),
  ...[' ', '\\ ', '\\text{if x_1}', '\\vec a'],
];

describe('Formulas with the same shape', () => {
  it('are all valid or all invalid in KaTeX, for random formulas', () => {
    let valid = 0;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { maxLength: 9 }),
        fc.gen(),
        (parts, draw) => {
          const formula = `$${parts.join('')}$`;
          if (!isShared(formula)) return;
          const other = relabelled(formula, draw);
          assert.equal(shape(other), shape(formula));
          assert.equal(isValid(other), isValid(formula), `${formula} and ${other}`);
          if (isValid(formula)) valid += 1;
        },
      ),
      { numRuns: 400 },
    );
    assert.ok(valid > 10, `${valid} of them are valid`);
  });
});
