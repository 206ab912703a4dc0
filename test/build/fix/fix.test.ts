import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Report } from '../../../build/check/diagnostic.ts';
import { parseText } from '../../../build/content/markdown.ts';
import { Source } from '../../../build/content/positions.ts';
import { fixContent } from '../../../build/fix/fix.ts';
import { markdownRules } from '../../../build/rules/markdown.ts';
import { textRules } from '../../../build/rules/text.ts';
import {
  type BankFolder,
  type FileContent,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
} from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import { validateFolder } from '../validate-folder.ts';
import { messyBank } from './messy-bank.ts';

const { mcq } = sampleQuestions;
const translationPath = `${shiftPath}/physics.hi.json`;

/** The paper of a bank and its problems, before and after each round of fixes. */
interface Round {
  readonly text: string;
  readonly report: Report;
}

async function fixRounds(bank: BankFolder) {
  const rounds: Round[] = [];
  const result = await fixContent(bank.dir, async () => {
    const { report } = await validateFolder(bank.dir);
    rounds.push({ report, text: await readFile(join(bank.dir, paperPath), 'utf8') });
    return report;
  });
  return { ...result, rounds, text: rounds.at(-1)?.text ?? '' };
}

/** Writes a paper, and the only diagrams of its shift. */
async function writePaper(
  bank: BankFolder,
  paper: FileContent,
  diagrams: readonly string[] = [],
): Promise<void> {
  await rm(join(bank.dir, shiftPath, 'diagrams'), { recursive: true, force: true });
  for (const file of diagrams) await bank.write(`${shiftPath}/diagrams/${file}`, png(2, 2));
  await bank.write(paperPath, paper);
}

/** The rules that a text breaks, also those that are not reported because of another problem in the same place. */
function brokenRules(text: string): Set<string> {
  const checked = { path: '', pointer: '', text };
  const marked = { ...checked, parsed: parseText(text), diagrams: [] };
  const broken = [
    ...textRules.filter((rule) => [...rule.check(checked)].length > 0),
    ...markdownRules.filter((rule) => [...rule.check(marked)].length > 0),
  ];
  return new Set(broken.map(({ name }) => name));
}

/** Asserts that a text breaks no rule that it did not break before. */
function assertNoNewProblem(before: string, after: string): void {
  const old = brokenRules(before);
  // The LaTeX between wrong delimiters is outside of formulas until they are corrected.
  if (old.has('formula-delimiters')) old.add('latex-outside-formula');
  // A carriage return hides that a line is blank.
  if (old.has('control-characters')) old.add('blank-lines');
  for (const rule of brokenRules(after)) assert.ok(old.has(rule), `${rule} in ${JSON.stringify(after)}`);
}

/** Asserts that all text between the ranges of the problems that may be fixed is also in the next text, in order. */
function assertOnlyRangesChanged(before: Round, after: string): void {
  const { text } = before;
  const source = new Source(text);
  let at = 0;
  let last = 0;
  for (const problem of before.report.diagnostics.filter(({ fix }) => fix !== undefined)) {
    const { start, end } = source.span(problem);
    const kept = text.slice(last, Math.max(start, last));
    const found = last === 0 ? (after.startsWith(kept) ? 0 : -1) : after.indexOf(kept, at);
    assert.ok(found >= 0, `changed: ${kept}`);
    at = found + kept.length;
    last = Math.max(last, end);
  }
  assert.ok(after.slice(at).endsWith(text.slice(last)), `changed: ${text.slice(last)}`);
}

describe('Fixing a paper', () => {
  it('with mistakes whose correction is certain writes the intended content, and nothing in a second run', async () => {
    const bank = await makeBank();
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (draw) => {
        const { paper, translation, diagrams } = messyBank(draw);
        await bank.write(translationPath, translation.written);
        await writePaper(bank, paper.written, diagrams);
        const { rounds, text, fixed } = await fixRounds(bank);
        const translated = await readFile(join(bank.dir, translationPath), 'utf8');
        assert.deepEqual(JSON.parse(text), paper.intended);
        assert.deepEqual(JSON.parse(translated), translation.intended);
        assert.ok(fixed.length > 0 || text === rounds[0]?.text);
        assert.deepEqual((await fixRounds(bank)).fixed, []);
        assert.equal(await readFile(join(bank.dir, paperPath), 'utf8'), text);
        assert.equal(await readFile(join(bank.dir, translationPath), 'utf8'), translated);
      }),
      { numRuns: 60 },
    );
  });

  /** Parts that combine to mistakes of all kinds. */
  const pieces = [
    ...[
      '$',
      '$$',
      '\\(',
      '\\)',
      '\\[',
      '\\]',
      '\\',
      '\\\\',
      '\\$',
      '{',
      '}',
      '%',
      '\\%',
      '&',
      '&lt;',
      '&gt;',
    ],
    ...[
      '&amp;',
      '&#36;',
      '&nbsp;',
      '&eacute;',
      '<',
      '>',
      '<b>',
      '</b>',
      '\times',
      '\frac{1}{2}',
      '\neq',
      '\nu',
    ],
    ...[
      '\\alpha',
      '\\text{',
      '’',
      '”',
      '\u2028',
      '\u200b',
      'e\u0301',
      '\u0958',
      '\t',
      '\r\n',
      '\n',
      ' ',
      ' ',
    ],
    ...[
      'x',
      '1',
      'less',
      'B',
      '=',
      '–',
      '½',
      'Ã©',
      '^',
      '_',
      '!',
      '/',
      '#',
      ';',
      '\u0301',
      '\\begin{cases}',
      '|',
    ],
  ];
  const anyText = fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 })
    .map((parts) => parts.join(''));

  it('with any text changes only what is reported, finds no new problem, and leaves a file without problems', async () => {
    const bank = await makeBank();
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (question, value) => {
        const options = [
          { key: 'A', value: `a${value}` },
          { key: 'B', value: 'b' },
        ];
        await writePaper(bank, paperOf({ ...mcq, question: `x ${question}`, options }));
        const { rounds, report, text, fixed: problems } = await fixRounds(bank);
        for (const [index, round] of rounds.slice(0, -1).entries()) {
          assertOnlyRangesChanged(round, rounds[index + 1]?.text ?? '');
        }
        const [fixed] = JSON.parse(text).questions;
        assertNoNewProblem(`x ${question}`, fixed.question);
        assertNoNewProblem(`a${value}`, fixed.options[0].value);
        assert.deepEqual(
          report.diagnostics.filter(({ fix }) => fix !== undefined),
          [],
        );
        if (problems.length === 0) assert.equal(text, rounds[0]?.text);
      }),
      { numRuns: 500 },
    );
  });
});
