import { dollarsOf, formulasOf, proseOf, withoutTexts } from '../content/formulas.ts';
import type { CheckedFormula, Finding, Rule, TextRule } from './rule.ts';

export const formulaRule: Rule<CheckedFormula> = {
  name: 'formula',
  description: 'KaTeX sets every formula, and all of it.',
  severity: 'error',
  example: {
    wrong: '"question": "Half is $\\\\fracc{1}{2}$"',
    right: '"question": "Half is $\\\\frac{1}{2}$"',
  },
  *check({ path, pointer, start, fault }) {
    if (fault?.kind !== 'unset') return;
    const { message, suggestion } = fault;
    yield {
      path,
      pointer,
      part: { of: 'value', start: start + fault.start, end: start + fault.end },
      message,
      ...(suggestion !== undefined && { suggestion }),
    };
  },
};

export const formulaCharacters: Rule<CheckedFormula> = {
  name: 'formula-characters',
  description: 'Formulas are written in signs that KaTeX has: others are set in whatever font there is.',
  severity: 'warning',
  example: { wrong: '"value": "$₹500$"', right: '"value": "₹500"' },
  *check({ path, pointer, start, fault }) {
    if (fault?.kind !== 'character') return;
    const { message, suggestion } = fault;
    yield {
      path,
      pointer,
      part: { of: 'value', start: start + fault.start, end: start + fault.end },
      message,
      ...(suggestion !== undefined && { suggestion }),
    };
  },
};

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

/** In a text of more dollars, nobody could tell. */
const mostDollars = 41;

/**
 * Of dollars that are odd in number, the one that was probably meant to have another: with it left out, the
 * others make formulas that neither begin nor end with space, nor read as prose. Of several, the last one.
 *
 * @returns its offset; undefined when it is not for the dollars alone to say: two stand side by side, or there
 * are too many
 */
export function openDollar(text: string): number | undefined {
  const dollars = dollarsOf(text);
  if (dollars.length % 2 === 0 || dollars.length > mostDollars || text.includes('$$')) return undefined;
  let best: { readonly at: number; readonly faults: number } | undefined;
  for (const at of dollars) {
    const faults = countFaults(
      text,
      dollars.filter((dollar) => dollar !== at),
    );
    if (faults <= (best?.faults ?? Number.POSITIVE_INFINITY)) best = { at, faults };
  }
  return best?.at;
}

function countFaults(text: string, dollars: readonly number[]): number {
  let faults = 0;
  for (let index = 0; index + 1 < dollars.length; index += 2) {
    const tex = text.slice((dollars[index] ?? 0) + 1, dollars[index + 1]);
    if (tex !== tex.trim()) faults += 1;
    if (/(?:^|\s)[a-z]{3,}\s+[a-z]{2,}(?:\s|$)/i.test(tex) && !tex.includes('\\text')) faults += 1;
    if (tex.includes('$')) faults += 1;
  }
  return faults;
}

export const latexOutsideFormula: TextRule = {
  name: 'latex-outside-formula',
  description: 'LaTeX stands in formulas: outside of $...$ its commands are shown to readers as they stand.',
  severity: 'warning',
  example: { wrong: '"value": "3 \\\\times 4"', right: '"value": "$3 \\\\times 4$"' },
  concerns: undefined,
  concernsLoose: true,
  *check({ path, pointer, text }) {
    // Where a dollar lacks its other one, nobody knows what is a formula.
    if (formulasOf(text).openAt >= 0) return;
    // The first tells; the next ones are of the same formula as a rule.
    const first = /\\(?:[a-zA-Z]+|[%&_#{},;:!])/.exec(proseOf(text));
    if (!first) return;
    const [command] = first;
    const isSign = /^\\[%&_#{}]$/.test(command);
    yield {
      path,
      pointer,
      part: { of: 'value', start: first.index, end: first.index + command.length },
      message:
        command === '\\n'
          ? 'A backslash and an n are shown here: a line break is \\n in JSON, with one backslash.'
          : `${command} stands in no formula, and is shown to readers as it stands.`,
      ...(isSign && { suggestion: command.slice(1) }),
      ...(command === '\\n' && { suggestion: '\n' }),
    };
  },
};

export const smartQuotes: TextRule = {
  name: 'smart-quotes',
  description:
    "Formulas hold no typographic quotes: a prime is written ', two of them ''. In \\text{...} they may stand.",
  severity: 'error',
  example: { wrong: '"question": "What is $f’(2)$?"', right: '"question": "What is $f\'(2)$?"' },
  concerns: /[\u2018-\u201f\u2032-\u2036\u00b4]/,
  *check({ path, pointer, text }) {
    for (const { tex, start } of formulasOf(text).formulas) {
      for (const { 0: found, index } of withoutTexts(tex).matchAll(quotes)) {
        yield {
          path,
          pointer,
          part: { of: 'value', start: start + index, end: start + index + found.length },
          message: `${found} is a typographic quote, which LaTeX does not know. A prime is ', a second derivative ''.`,
          suggestion: Array.from(found, (quote) => primes[quote] ?? '"').join(''),
        };
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
