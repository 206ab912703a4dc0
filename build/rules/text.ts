/** Applies the rules on texts to a text. */
import { proseOf } from '../content/formulas.ts';
import { lastAtMost, type Span } from '../content/positions.ts';
import {
  controlCharacters,
  halfCharacters,
  invisibleCharacters,
  mojibake,
  nfc,
} from './characters.ts';
import { formulaDelimiters, latexOutsideFormula, smartQuotes } from './formula.ts';
import { html } from './html.ts';
import { blankLines } from './markdown.ts';
import { type CheckedText, type Problem, problemsOf, type TextRule } from './rule.ts';

/** Rules on each text of a question. Of several findings in one place, only that of the first rule counts. */
export const textRules: readonly TextRule[] = [
  mojibake,
  halfCharacters,
  controlCharacters,
  invisibleCharacters,
  html,
  smartQuotes,
  formulaDelimiters,
  latexOutsideFormula,
  blankLines,
  nfc,
];

/** Rules on names, in which "<" and "$" have no meaning. */
export const nameRules: readonly TextRule[] = [
  mojibake,
  halfCharacters,
  controlCharacters,
  invisibleCharacters,
  nfc,
];

/** What begins emphasis, code, links, images and addresses; a heading, quote, list, rule or table; and indented code. */
const markdownSigns = joined([
  /[*`]|\]\(|\]:|<[^\s<>]{1,200}[:@]/,
  /(?:^|\n)[ \t]*(?:#|>|=|~~~|\||:?-[-:| \t]*(?:\n|$)|[-+](?:\s|$)|\d{1,9}[.)](?:\s|$))/,
  /(?:^|(?:^|\n)[ \t]*\n)(?: {4}| {0,3}\t)/,
]);

/** Faster: a text that fits neither has no Markdown but paragraphs and line breaks. */
const anyMarkdown = /[*`\]<\n]/;
const markdownAtStart = /^[ \t]*(?:[#>=~|:+-]|\d{1,9}[.)])|^(?: {4}| {0,3}\t)/;

/** A text that matches neither this nor `markdownAtStart` breaks none of the rules. One expression reads a text once. */
const concerns = joined([...textRules.flatMap((rule) => rule.concerns ?? []), anyMarkdown]);

/** Matches what any of the expressions matches. */
function joined(expressions: readonly RegExp[]): RegExp {
  return new RegExp(expressions.map(({ source }) => `(?:${source})`).join('|'));
}

/**
 * Whether a text may break a rule or have Markdown. For nearly all texts, this test is enough.
 *
 * @param isLoose whether there is a backslash or an unclosed dollar outside the formulas
 */
export function mayConcern(text: string, isLoose: boolean): boolean {
  return isLoose || concerns.test(text) || markdownAtStart.test(text);
}

/** Whether a text may have Markdown other than paragraphs and line breaks. */
export function mayHaveMarkdown(text: string): boolean {
  if (!anyMarkdown.test(text) && !markdownAtStart.test(text)) return false;
  return markdownSigns.test(text.includes('$') ? proseOf(text, 'x') : text);
}

/**
 * The problems of a text. Several rules may find the same mistake: of problems that overlap, only the first is returned.
 *
 * @param isLoose as above
 * @param counts as `problemsOf` takes them
 * @param among the rules to apply
 */
export function textProblems(
  text: CheckedText,
  isLoose: boolean,
  counts?: Map<string, number>,
  among = textRules,
): Problem[] {
  const rules = among.filter(
    (rule) => (isLoose && rule.concernsLoose) || rule.concerns?.test(text.text),
  );
  return withoutOverlaps(problemsOf(rules, text, counts));
}

/** @param marked parts that problems were found in before: others that overlap them are not returned */
export function withoutOverlaps(
  problems: Iterable<Problem>,
  marked = new MarkedParts(),
): Problem[] {
  return [...problems].filter(({ part }) => part?.of !== 'value' || marked.add(part));
}

/** Parts of a text that do not overlap. */
export class MarkedParts {
  // In ascending order.
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  constructor(problems: readonly Problem[] = []) {
    for (const { part } of problems) if (part?.of === 'value') this.add(part);
  }

  overlap({ start, end }: Span): boolean {
    const last = lastAtMost(this.#starts, end - 1);
    return (this.#starts[last] ?? end) < end && (this.#ends[last] ?? start) > start;
  }

  /** @returns false if the part overlaps another one, and is not added */
  add({ start, end }: Span): boolean {
    if (this.overlap({ start, end })) return false;
    const last = lastAtMost(this.#starts, start);
    const index = (this.#starts[last] ?? end) <= start ? last + 1 : last;
    this.#starts.splice(index, 0, start);
    this.#ends.splice(index, 0, end);
    return true;
  }
}
