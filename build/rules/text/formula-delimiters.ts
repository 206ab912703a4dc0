import { formulasOf, proseOf } from '../formula/formulas.ts';
import type { Finding } from '../rule.ts';
import { openDollar } from './open-dollar.ts';
import type { TextRule } from './text-rule.ts';

export const formulaDelimiters: TextRule = {
  name: 'formula-delimiters',
  description:
    'Formulas stand between $...$ or $$...$$, hold something, and every dollar has its other one; a dollar itself is \\$.',
  severity: 'error',
  example: { wrong: '"question": "The speed is $v = 3"', right: '"question": "The speed is $v = 3$"' },
  concerns: /\$\s*\$/,
  concernsLoose: true,
  *check({ path, pointer, text }) {
    const { formulas, openAt } = formulasOf(text);
    for (const finding of [...ofBrackets(text, openAt), ...ofDollars(text, openAt)])
      yield { path, pointer, ...finding };
    for (const { tex, start, end, display } of formulas) {
      if (tex.trim() !== '') continue;
      const dollars = display ? 2 : 1;
      yield {
        path,
        pointer,
        part: { of: 'value', start: start - dollars, end: end + dollars },
        message: 'This formula is empty. Write it, or remove its dollars.',
      };
    }
  },
};

type TextFinding = Omit<Finding, 'path' | 'pointer'>;

function ofDollars(text: string, openAt: number): TextFinding[] {
  if (openAt < 0) return [];
  const start = openDollar(text) ?? openAt;
  const isDouble = text.startsWith('$$', start);
  if (isDouble && text.slice(start + 2).trim() === '')
    return [
      {
        part: { of: 'value', start, end: start + 2 },
        message: 'This formula is empty. Write it, or remove its dollars.',
      },
    ];
  return [
    {
      part: { of: 'value', start, end: start + (isDouble ? 2 : 1) },
      message: isDouble
        ? 'Nothing closes the formula that these dollars open: it ends in two dollars, too.'
        : 'Nothing closes the formula that this dollar opens. Close it, or write \\\\$ for a dollar.',
    },
  ];
}

/** `\(...\)` and `\[...\]` are LaTeX's own delimiters, which nothing here takes for such. */
function ofBrackets(text: string, openAt: number): TextFinding[] {
  const prose = proseOf(openAt < 0 ? text : text.slice(0, openAt));
  const findings: TextFinding[] = [];
  // What the rest of a text does not hold is not looked for again.
  const missing = new Set<string>();
  let last = 0;
  for (const { 0: open, index: start } of prose.matchAll(/(?<!\\)(?:\\\\)*\\[([]/g)) {
    const from = start + open.length;
    if (start < last) continue;
    const isDisplay = open.endsWith('[');
    const end = isDisplay ? '\\]' : '\\)';
    const close = missing.has(end) ? -1 : prose.indexOf(end, from);
    if (close < 0) missing.add(end);
    last = close < 0 ? from : close + 2;
    const dollars = isDisplay ? '$$' : '$';
    findings.push({
      part: { of: 'value', start: from - 2, end: last },
      message: `Formulas stand between dollars here: ${dollars}...${dollars}.`,
      suggestion: close < 0 ? dollars : `${dollars}${text.slice(from, close).trim()}${dollars}`,
    });
  }
  return findings;
}
