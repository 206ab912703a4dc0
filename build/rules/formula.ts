/** Rules on formulas: their delimiters, their LaTeX, and LaTeX outside them. */
import {
  dollarsOf,
  type Formula,
  formulaFinder,
  formulasOf,
  proseOf,
  withoutTexts,
} from '../content/formulas.ts';
import type { Span } from '../content/positions.ts';
import {
  type CheckedFormula,
  type CheckedText,
  type Finding,
  type FormulaProblem,
  forwardFinder,
  isBesideAsterisk,
  type Rule,
  spanOf,
  type TextRule,
  textFinding,
} from './rule.ts';

export const formulaRule: Rule<CheckedFormula> = {
  name: 'formula',
  description: 'KaTeX renders every formula completely.',
  severity: 'error',
  example: { wrong: '"Half is $\\\\fracc{1}{2}$"', right: '"Half is $\\\\frac{1}{2}$"' },
  check: (formula) => formulaFindings(formula, 'unset'),
};

export const formulaCharacters: Rule<CheckedFormula> = {
  name: 'formula-characters',
  description: 'Formulas use only characters that the KaTeX fonts have.',
  severity: 'warning',
  example: { wrong: '"value": "$₹500$"', right: '"value": "₹500"' },
  check: (formula) => formulaFindings(formula, 'character'),
};

function formulaFindings(formula: CheckedFormula, kind: FormulaProblem['kind']): Finding[] {
  const { start, problem } = formula;
  if (problem?.kind !== kind) return [];
  const span = { start: start + problem.start, end: start + problem.end };
  const { message, suggestion, certain } = problem;
  return [{ ...textFinding(formula, span, message, suggestion), certain }];
}

const doubtful =
  /\$\s*(?:\$|\d[\d ,.]*[\s;:][^\s\d$\\=+*/<>^_-]|\d[\d,.]*\s*[-–—/])|\\begin(?:(?!\\end)[^$]){0,2000}\$|\\\)/;
const textWithDollar = /\\(?:text|mbox)\w*\{[^{}$]*\$/;

export const formulaDelimiters: TextRule = {
  name: 'formula-delimiters',
  description:
    'Formulas are enclosed in $...$ or $$...$$, and are not empty. A dollar sign is written \\$.',
  severity: 'error',
  example: {
    wrong: '"question": "The speed is $v = 3"',
    right: '"question": "The speed is $v = 3$"',
  },
  concerns: new RegExp(`${doubtful.source}|${textWithDollar.source}`),
  concernsLoose: true,
  *check(checked) {
    const { formulas, openAt } = formulasOf(checked.text);
    yield* nestedFindings(checked);
    yield* bracketFindings(checked, openAt);
    if (openAt < 0) yield* environmentFindings(checked, formulas);
    if (openAt >= 0) yield openDollarFinding(checked, openAt);
    for (const formula of formulas) {
      const { tex, outer } = formula;
      if (tex.trim() === '') yield textFinding(checked, outer, emptyFormula);
      else if (openAt < 0 && isBetweenPrices(checked.text, formula))
        yield textFinding(checked, outer, betweenPrices, `\\$${tex}\\$`);
    }
  },
};

/** Whether both dollars of a formula are signs of a currency: `$5 and $7`, `R$ 500 or R$ 120`. */
function isBetweenPrices(text: string, { tex, outer }: Formula): boolean {
  if (prices.test(tex)) return true;
  if (!amount.test(tex) || tex.includes('\\')) return false;
  const [currency] =
    /(?<!\p{L})(?:R|US|AU?|CA?|HK|NT|NZ|S|MX)$/u.exec(
      text.slice(Math.max(0, outer.start - 3), outer.start),
    ) ?? [];
  if (currency !== undefined)
    return tex.endsWith(currency) && !/\p{L}/u.test(tex.at(-currency.length - 1) ?? '');
  return /^\s?\d/.test(text.slice(outer.end, outer.end + 2));
}

const prices =
  /^\s*\d[\d,.]*\s+(?:[a-z]+[,;.]?\s+){0,3}(?:and|at|each|every|for|from|in|is|of|on|or|per|than|the|to|was|with)\s[^\\]*$/i;
/** A number, and then a word or dash. */
const amount =
  /^\s?\d[\d,.]*(?: \d{3}[\d,.]*)*(?:[^\p{L}\d\\]{1,20}\p{L}|\s*[-–—/]\s*\p{L}{0,2}$)/u;
const betweenPrices =
  'This text is shown as a formula, because it is between dollar signs. Write \\\\$ for a dollar sign.';

/** Formulas in `\text{...}` of a formula: their dollars end the outer one here, although LaTeX accepts them. */
const nested = /\$[^$]*\\(?:text\w*|mbox)\s*\{[^{}$]*(?:\$[^$\n]+\$[^{}$]*)+\}[^$\n]*\$/g;
const nestedText = /(\\(?:text\w*|mbox)\s*\{)([^{}$]*(?:\$[^$\n]+\$[^{}$]*)+)\}/g;

function* nestedFindings(checked: CheckedText): Generator<Finding> {
  for (const match of checked.text.matchAll(nested)) {
    const written = match[0].replace(nestedText, (_, open: string, inner: string) =>
      inner
        .split('$')
        .map((part, index) => (index % 2 === 1 ? part : part === '' ? '' : `${open}${part}}`))
        .join(''),
    );
    const [shown = ''] = /\\(?:text\w*|mbox).*\}/s.exec(written) ?? [];
    const message = `Dollar signs inside \\text{...} end the formula. End \\text before them, and begin it again: ${shown}`;
    yield textFinding(checked, spanOf(match), message, written);
  }
}

const emptyFormula = 'This formula is empty. Fill it in, or remove its dollar signs.';

function openDollarFinding(checked: CheckedText, openAt: number): Finding {
  const { text } = checked;
  const start = openDollar(text) ?? openAt;
  if (!text.startsWith('$$', start)) {
    const message = looksClosing(text, start)
      ? 'This dollar sign ends a formula that has no start. Add the start, or write \\\\$ for a dollar sign.'
      : 'This dollar sign starts a formula that has no end. Add the end, or write \\\\$ for a dollar sign.';
    const isPrice = /^\s?\d/.test(text.slice(start + 1, start + 3)) && dollarsOf(text).length === 1;
    return textFinding(checked, { start, end: start + 1 }, message, isPrice ? '\\$' : undefined);
  }
  const message =
    text.slice(start + 2).trim() === ''
      ? emptyFormula
      : 'This formula has no end. End it with two dollar signs.';
  return textFinding(checked, { start, end: start + 2 }, message);
}

/** Whether a dollar stands at the end of something, as in `x^2$ is` or at the end of the text. */
function looksClosing(text: string, at: number): boolean {
  return /\S/.test(text[at - 1] ?? '') && /^(?:[\s.,:;?!)\]}]|$)/.test(text.slice(at + 1, at + 2));
}

/** A formula between LaTeX's own delimiters, `\(...\)` or `\[...\]`. Offsets include them. */
interface BracketFormula extends Span {
  /** Undefined without an end. */
  readonly tex: string | undefined;
  /** Whether it is words in brackets, of which programs write `\[...\]` too. */
  readonly isProse: boolean;
  readonly dollars: '$' | '$$';
}

/** Finds LaTeX's own delimiters outside of formulas between dollars. */
export function* bracketFormulas(
  text: string,
  openAt = formulasOf(text).openAt,
): Generator<BracketFormula> {
  const prose = proseOf(openAt < 0 ? text : text.slice(0, openAt));
  const find = forwardFinder(prose);
  let last = 0;
  for (const { 0: open, index } of prose.matchAll(/(?<!\\)(?:\\\\)*\\[([]/g)) {
    if (index < last) continue;
    const start = index + open.length;
    const [delimiter, dollars] = open.endsWith('[')
      ? (['\\]', '$$'] as const)
      : (['\\)', '$'] as const);
    const close = find(delimiter, start);
    last = close < 0 ? start : close + 2;
    const tex = close < 0 ? undefined : text.slice(start, close);
    yield {
      start: start - 2,
      end: last,
      dollars,
      tex,
      isProse: tex !== undefined && isProse(tex, dollars),
    };
  }
}

function* bracketFindings(checked: CheckedText, openAt: number): Generator<Finding> {
  for (const { start, end, dollars, tex, ...bracket } of bracketFormulas(checked.text, openAt)) {
    const message = `Write formulas between dollars: ${dollars}...${dollars}.`;
    // A line break may be the start of a command whose backslash is missing.
    const inner = tex?.replace(/^ +| +$/g, '') ?? '';
    const suggestion = tex === undefined ? dollars : `${dollars}${inner}${dollars}`;
    if (bracket.isProse) {
      const [open, close] = dollars === '$' ? ['(', ')'] : ['[', ']'];
      const advice = `Write ${open} and ${close} without backslashes. Formulas are between dollars: ${dollars}...${dollars}.`;
      yield textFinding(checked, { start, end }, advice, `${open}${tex}${close}`);
      continue;
    }
    const finding = textFinding(checked, { start, end }, message, suggestion);
    const certain =
      openAt < 0 &&
      isWholeFormula(inner) &&
      !hasWords(inner) &&
      !isBesideAsterisk(checked.text, { start, end });
    yield { ...finding, certain };
  }
  // A list item such as `1\)` is escaped.
  if (!checked.text.includes('\\('))
    for (const match of proseOf(checked.text).matchAll(/(?<=[^\\\d])\\\)/g))
      yield textFinding(
        checked,
        spanOf(match),
        'This ends a formula that has no start. Write formulas between dollars: $...$.',
      );
}

/** Words, of at least three letters or of another script; not those of `\text`, and not names of environments. */
function hasWords(tex: string): boolean {
  const bare = withoutTexts(tex).replace(environment, '');
  return /(?<![\\\p{L}])\p{L}{3,}|[^\P{L}\p{sc=Latin}\p{sc=Greek}]/u.test(bare);
}

/** Whether something between LaTeX's own delimiters has no sign of a formula: words, a year or an omission in brackets. */
function isProse(tex: string, dollars: '$' | '$$'): boolean {
  if (hasWords(tex)) return !/[\\^_=+<>{}]/.test(tex);
  // A line break may be the start of a command.
  return !(dollars === '$' ? /[\p{L}\d\\]/u : /[\\^_=+<>{}*/|\n-]/).test(tex);
}

/** Finds environments that begin in one formula and end in another, or have formulas in them. */
function* environmentFindings(
  checked: CheckedText,
  formulas: readonly Formula[],
): Generator<Finding> {
  const { text } = checked;
  const formulaAt = formulaFinder(text);
  const open: {
    readonly name: string;
    readonly at: number;
    readonly formula: Formula | undefined;
  }[] = [];
  for (const { 0: found, 1: step, 2: name = '', index: at } of text.matchAll(environment)) {
    const formula = formulaAt(at);
    if (step === 'begin') {
      open.push({ name, at, formula });
      continue;
    }
    const first = open.pop();
    if (first?.name !== name) return;
    const end = at + found.length;
    const isWhole = formula
      ? formula === first.formula
      : !first.formula && !formulas.some((inner) => inner.start > first.at && inner.start < end);
    if (isWhole) continue;
    const span = { start: first.formula?.outer.start ?? first.at, end: formula?.outer.end ?? end };
    if (
      !formula &&
      !first.formula &&
      /^(?:tabular|table|center|itemize|enumerate)\*?$/.test(name)
    ) {
      const message = `LaTeX's ${name} is not supported. Write tables and lists in Markdown, with formulas in $...$.`;
      yield textFinding(checked, span, message);
      return;
    }
    const message = `There are dollar signs between \\begin{${name}} and \\end{${name}}. Enclose the whole formula in one pair.`;
    yield textFinding(checked, span, message);
    return;
  }
}

const environment = /\\(begin|end)\s*\{([^{}]{0,50})\}/g;

/** Whether LaTeX is one formula between dollars: it is not empty, and has no dollar or backslash that ends it elsewhere. */
function isWholeFormula(tex: string): boolean {
  return /\S/.test(tex) && /^(?:[^\\$]|\\[\s\S])+$/.test(tex);
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
  if (dollars.length % 2 === 0 || dollars.length > mostDollars || text.includes('$$'))
    return undefined;
  let best: number | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const at of dollars) {
    const others = dollars.filter((dollar) => dollar !== at);
    const doubts = countDoubts(text, others);
    if (doubts > fewest) continue;
    best = at;
    fewest = doubts;
  }
  return best;
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
  description: 'LaTeX commands are only in formulas. Outside $...$, they appear literally.',
  severity: 'warning',
  example: { wrong: '"value": "3 \\\\times 4"', right: '"value": "$3 \\\\times 4$"' },
  concerns: undefined,
  concernsLoose: true,
  *check(checked) {
    // With an unclosed dollar, it is not clear what is a formula.
    if (formulasOf(checked.text).openAt >= 0) return;
    // Only the first command: the next ones usually belong to the same formula.
    const first = looseCommand.exec(proseOf(checked.text, '|'));
    if (!first) return;
    const span = spanOf(first);
    const isInside = span.start > 0 && span.end < checked.text.length;
    const [message, suggestion] = looseMessage(first[0].trim());
    const shown = suggestion === '\n' && !isInside ? undefined : suggestion;
    const certain = /^[%{}]$/.test(suggestion ?? '');
    yield { ...textFinding(checked, span, message, shown), certain };
  },
};

function looseMessage(command: string): readonly [message: string, suggestion?: string] {
  if (command === '\\n')
    return [
      'This will appear as a backslash and an n. Write a line break as \\n, with one backslash.',
      '\n',
    ];
  if (command === '\\\\')
    return [
      'This is a LaTeX line break, but it is outside a formula. Write a line break as \\n.',
      '\n',
    ];
  const sign = command.slice(1);
  if (/^[%&{}]$/.test(sign)) return [`Outside formulas, write ${sign} without a backslash.`, sign];
  if (/^[,;:!]$/.test(sign))
    return [`${command} is a LaTeX space, but this is outside a formula. Write a space.`];
  const table =
    command === '\\begin'
      ? ' Write tables in Markdown: | a | b |, with |---|---| below the first row.'
      : '';
  return [`${command} is outside a formula and will appear literally.${table}`];
}

/**
 * A command or a line break of LaTeX. Backslashes before the signs of Markdown are not LaTeX. The search starts once in a
 * run of spaces, so that a long one takes no longer than its length.
 */
const looseCommand =
  /\\(?:[a-zA-Z]+|[%&{},;:]|!(?!\[))|(?<![ \t])[ \t]*\\\\(?=[\s|]|$|\[\d)[ \t]*\n?/;

export const smartQuotes: TextRule = {
  name: 'smart-quotes',
  description:
    "Formulas have no typographic quotes outside \\text{...}. A prime is ', a double prime ''.",
  severity: 'error',
  example: { wrong: '"question": "What is $f’(2)$?"', right: '"question": "What is $f\'(2)$?"' },
  concerns: /[\u2018-\u201f\u2032-\u2036\u00b4]/,
  *check(checked) {
    for (const { tex, start } of formulasOf(checked.text).formulas) {
      const quotes = [...withoutTexts(tex).matchAll(/[\u2018-\u201f\u2032-\u2036\u00b4]+/g)];
      for (const { 0: found, index } of quotes) {
        const span = { start: start + index, end: start + index + found.length };
        const message = `${found} is a typographic quote, which LaTeX does not support. A prime is ', a second derivative ''.`;
        yield textFinding(checked, span, message, plainQuotes(found));
      }
    }
  },
};

function plainQuotes(quotes: string): string {
  return quotes
    .replace(/[‘’‚‛′‵´]/g, "'")
    .replace(/[”″‶]/g, "''")
    .replaceAll('‴', "'''")
    .replace(/[“„‟]/g, '"');
}
