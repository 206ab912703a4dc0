/** Rules on formulas: their delimiters, their LaTeX, and LaTeX outside them. */
import { dollarsOf, formulasOf, proseOf, withoutTexts } from '../content/formulas.ts';
import {
  type CheckedFormula,
  type CheckedText,
  type Finding,
  type FormulaProblem,
  type Rule,
  type TextRule,
  textFinding,
} from './rule.ts';

export const formulaRule: Rule<CheckedFormula> = {
  name: 'formula',
  description: 'KaTeX sets every formula, and all of it.',
  severity: 'error',
  example: {
    wrong: '"question": "Half is $\\\\fracc{1}{2}$"',
    right: '"question": "Half is $\\\\frac{1}{2}$"',
  },
  *check(formula) {
    if (formula.problem?.kind === 'unset') yield formulaFinding(formula, formula.problem);
  },
};

export const formulaCharacters: Rule<CheckedFormula> = {
  name: 'formula-characters',
  description: 'Formulas are written in signs that KaTeX has: others are set in whatever font there is.',
  severity: 'warning',
  example: { wrong: '"value": "$₹500$"', right: '"value": "₹500"' },
  *check(formula) {
    if (formula.problem?.kind === 'character') yield formulaFinding(formula, formula.problem);
  },
};

function formulaFinding(formula: CheckedFormula, fault: FormulaProblem): Finding {
  const span = { start: formula.start + fault.start, end: formula.start + fault.end };
  return textFinding(formula, span, fault.message, fault.suggestion);
}

export const formulaDelimiters: TextRule = {
  name: 'formula-delimiters',
  description:
    'Formulas stand between $...$ or $$...$$, hold something, and every dollar has its other one; a dollar itself is \\$.',
  severity: 'error',
  example: { wrong: '"question": "The speed is $v = 3"', right: '"question": "The speed is $v = 3$"' },
  concerns: /\$\s*\$/,
  concernsLoose: true,
  *check(checked) {
    const { formulas, openAt } = formulasOf(checked.text);
    yield* bracketFindings(checked, openAt);
    if (openAt >= 0) yield openDollarFinding(checked, openAt);
    for (const { tex, start, end, display } of formulas) {
      if (tex.trim() !== '') continue;
      const dollars = display ? 2 : 1;
      yield textFinding(checked, { start: start - dollars, end: end + dollars }, emptyFormula);
    }
  },
};

const emptyFormula = 'This formula is empty. Write it, or remove its dollars.';

function openDollarFinding(checked: CheckedText, openAt: number): Finding {
  const { text } = checked;
  const start = openDollar(text) ?? openAt;
  if (!text.startsWith('$$', start)) {
    const message =
      'Nothing closes the formula that this dollar opens. Close it, or write \\\\$ for a dollar.';
    return textFinding(checked, { start, end: start + 1 }, message);
  }
  const isEmpty = text.slice(start + 2).trim() === '';
  const message = 'Nothing closes the formula that these dollars open. Close it with two dollars.';
  return textFinding(checked, { start, end: start + 2 }, isEmpty ? emptyFormula : message);
}

/** Finds LaTeX's own delimiters, `\(...\)` and `\[...\]`. */
function* bracketFindings(checked: CheckedText, openAt: number): Generator<Finding> {
  const { text } = checked;
  const prose = proseOf(openAt < 0 ? text : text.slice(0, openAt));
  // Delimiters that the rest of the text does not contain, so that no text is searched twice.
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
    yield textFinding(
      checked,
      { start: from - 2, end: last },
      `Write formulas between dollars: ${dollars}...${dollars}.`,
      close < 0 ? dollars : `${dollars}${text.slice(from, close).trim()}${dollars}`,
    );
  }
}

/** A text with more dollars is ambiguous, and takes long to search. */
const mostDollars = 41;

/**
 * The dollar without a partner in a text with an odd number of them: without it, the other dollars make the formulas that
 * look most like formulas. They neither begin nor end with a space, nor read as prose. Of several such dollars the last.
 *
 * @returns its offset; undefined when the dollars alone do not decide: two are side by side, or there are too many
 */
function openDollar(text: string): number | undefined {
  const dollars = dollarsOf(text);
  if (dollars.length % 2 === 0 || dollars.length > mostDollars || text.includes('$$')) return undefined;
  let best: { readonly at: number; readonly doubts: number } | undefined;
  for (const at of dollars) {
    const others = dollars.filter((dollar) => dollar !== at);
    const doubts = countDoubts(text, others);
    if (doubts <= (best?.doubts ?? Number.POSITIVE_INFINITY)) best = { at, doubts };
  }
  return best?.at;
}

/** How often the texts between pairs of dollars do not look like formulas. */
function countDoubts(text: string, dollars: readonly number[]): number {
  let doubts = 0;
  for (let index = 0; index + 1 < dollars.length; index += 2) {
    const tex = text.slice((dollars[index] ?? 0) + 1, dollars[index + 1]);
    if (tex !== tex.trim()) doubts += 1;
    if (/(?:^|\s)[a-z]{3,}\s+[a-z]{2,}(?:\s|$)/i.test(tex) && !tex.includes('\\text')) doubts += 1;
    if (tex.includes('$')) doubts += 1;
  }
  return doubts;
}

export const latexOutsideFormula: TextRule = {
  name: 'latex-outside-formula',
  description: 'LaTeX stands in formulas: outside of $...$ its commands are shown to readers as they stand.',
  severity: 'warning',
  example: { wrong: '"value": "3 \\\\times 4"', right: '"value": "$3 \\\\times 4$"' },
  concerns: undefined,
  concernsLoose: true,
  *check(checked) {
    // With an unclosed dollar, it is not clear what is a formula.
    if (formulasOf(checked.text).openAt >= 0) return;
    // Only the first command: the next ones usually belong to the same formula.
    const first = /\\(?:[a-zA-Z]+|[%&_#{},;:!])/.exec(proseOf(checked.text));
    if (!first) return;
    const { 0: command, index: start } = first;
    const span = { start, end: start + command.length };
    if (command === '\\n') {
      const message =
        'This will appear as a backslash and an n. Write a line break as \\n, with one backslash.';
      yield textFinding(checked, span, message, '\n');
    } else {
      const message = `${command} is outside a formula and will appear literally.`;
      yield textFinding(checked, span, message, /^\\[%&_#{}]$/.test(command) ? command.slice(1) : undefined);
    }
  },
};

export const smartQuotes: TextRule = {
  name: 'smart-quotes',
  description:
    "Formulas hold no typographic quotes: a prime is written ', two of them ''. In \\text{...} they may stand.",
  severity: 'error',
  example: { wrong: '"question": "What is $f’(2)$?"', right: '"question": "What is $f\'(2)$?"' },
  concerns: /[\u2018-\u201f\u2032-\u2036\u00b4]/,
  *check(checked) {
    for (const { tex, start } of formulasOf(checked.text).formulas) {
      for (const { 0: found, index } of withoutTexts(tex).matchAll(quotes)) {
        yield textFinding(
          checked,
          { start: start + index, end: start + index + found.length },
          `${found} is a typographic quote, which LaTeX does not know. A prime is ', a second derivative ''.`,
          Array.from(found, (quote) => primes[quote] ?? '"').join(''),
        );
      }
    }
  },
};

const quotes = /[\u2018-\u201f\u2032-\u2036\u00b4]+/g;

const primes: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  '′': "'",
  '‵': "'",
  '´': "'",
  '”': "''",
  '″': "''",
  '‶': "''",
  '‴': "'''",
};
