import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formulaHash, rememberFormulas } from '../../../build/content/formulas.ts';
import { textHash, visitFormulas, visitTexts } from '../../../build/content/question.ts';
import { formulaProblem } from '../../../build/rules/katex.ts';
import type { ValidationSetting } from '../../../build/run/setting.ts';
import { sampleQuestions as bankQuestions } from '../../content/sample-bank.ts';
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

/** The formulas that one run renders, sorted. */
async function rendered(run: ValidationSetting): Promise<string[]> {
  const formulas: string[] = [];
  await validateInThread(run, async () => (formula) => {
    formulas.push(formula);
    return formulaProblem(formula);
  });
  return formulas.sort();
}

it('KaTeX renders one formula of each shape, and never again if it was valid', async () => {
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

const questions = await bankQuestions();
const formulas = questions.flatMap(({ question }) => {
  const found: string[] = [];
  visitTexts(question, (text) => {
    visitFormulas(text, (start, end) => found.push(text.slice(start, end)));
  });
  return found;
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
  it('differ only in letters and digits', () => {
    assert.equal(shape('$12\\,\\mathrm{kg}$'), shape('$47\\,\\mathrm{cm}$'));
    assert.notEqual(shape('$12\\,\\mathrm{kg}$'), shape('$12\\,\\mathrm{k}$'));
    assert.notEqual(shape('$x$'), shape('$1$'));
    assert.notEqual(shape('$\\alpha$'), shape('$\\gamma$'));
    assert.notEqual(shape('$x$'), shape('$$x$$'));
  });

  for (const formula of [
    '$\\hspace{2cm}$',
    '$\\color{red}x$',
    '$\\begin{array}{cc}1\\end{array}$',
    '$a \\\\[2pt] b$',
    '$x % y$',
    '$5\\,\\text{µm}$',
    '$\\foo$',
    '$\\def\\a{b}\\a$',
    '$\\tag{1}$',
    '$\\Alpha$',
  ]) {
    it(`do not exist for ${formula}, where letters and digits affect validity`, () => {
      assert.equal(isShared(formula), false);
    });
  }

  it('exist for most formulas of the sample bank', () => {
    const shared = formulas.filter(isShared);
    assert.ok(shared.length > formulas.length * 0.8, `${shared.length} of ${formulas.length}`);
  });

  it('are all valid or all invalid in KaTeX, for formulas of the sample bank', () => {
    fc.assert(
      fc.property(fc.constantFrom(...formulas.filter(isShared)), fc.gen(), (formula, draw) => {
        const other = relabelled(formula, draw);
        assert.equal(shape(other), shape(formula));
        assert.equal(isValid(other), isValid(formula), other);
      }),
      { numRuns: 300 },
    );
  });

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

it('Valid formulas are remembered up to a limit, however many shapes a bank has', () => {
  const known = new Set<number>();
  rememberFormulas(known, Array(2 ** 20 + 2).keys());
  assert.deepEqual([known.has(1), known.size], [true, 2 ** 20]);
});
