/** The shape that every rule has, and what rules check. */
import { groupBy } from '../content/groups.ts';
import type { Span } from '../content/positions.ts';
import type { DiagramFile, Paper, Translation } from '../content/types.ts';

/** One requirement on content. A rule never prints and reads no files. */
export interface Rule<Checked> extends RuleDescription {
  readonly check: (checked: Checked) => Iterable<Finding>;
}

export interface RuleDescription {
  /** Stable: exceptions and reports refer to it. */
  readonly name: string;
  /** What content has to be, in a sentence. */
  readonly description: string;
  readonly severity: Severity;
  /** A piece of content that breaks the rule, and the same piece corrected. */
  readonly example: { readonly wrong: string; readonly right: string };
  /** No exception is allowed: a release could not be built from content that breaks the rule. */
  readonly strict?: true;
}

export type Severity = 'error' | 'warning';

export interface Finding extends Place {
  /** The correct text for the place, where there is one; '' where it is to be removed. */
  readonly suggestion?: string | undefined;
  /** Nobody could mean anything but the suggestion, and it breaks no other rule: `--fix` writes it. */
  readonly certain?: boolean | undefined;
  /** Further parts of the same value with the same mistake, whose suggestions are certain. */
  readonly repeats?: readonly Repeat[] | undefined;
  /** Other places that conflict with this one. */
  readonly related?: readonly Place[] | undefined;
  /** Pointers to all other values with this mistake, where they are one finding. */
  readonly others?: readonly string[];
}

export interface Repeat extends Span {
  readonly suggestion: string;
}

interface Place {
  readonly message: string;
  /** Inside the content folder; by default the file that is checked. */
  readonly path?: string;
  /** JSON pointer (RFC 6901) to the value; by default `''`, the whole file. */
  readonly pointer?: string;
  /** The part of the value, where it is not the whole. */
  readonly part?: Part | undefined;
}

/**
 * A part of what a pointer names: the property's name, a part of a string (offsets in UTF-16 units of its value), or a
 * part of the file (offsets in UTF-16 units of its text) where no value can be named.
 */
export type Part =
  | { readonly of: 'name' }
  | ({ readonly of: 'value' } & Span)
  | ({ readonly of: 'file' } & Span);

export interface Problem extends Omit<Finding, 'related' | 'path' | 'pointer'>, FindingPlace {
  readonly rule: string;
  readonly severity: Severity;
  readonly related?: readonly FindingPlace[] | undefined;
}

export interface FindingPlace extends Place {
  readonly path: string;
  readonly pointer: string;
}

/** Findings of one rule in one file. A file of another kind may break a rule at every byte. */
export const mostFindings = 1000;

/**
 * The problems that rules find in what they check. A rule with too many in a file is not applied to it any more.
 *
 * @param counts findings by rule and file, of what was checked before
 */
export function* problemsOf<Checked extends object>(
  rules: readonly Rule<Checked>[],
  checked: Checked,
  counts = new Map<string, number>(),
): Generator<Problem> {
  const whole = { path: 'path' in checked ? String(checked.path) : '', pointer: '' };
  for (const { name, severity, check } of rules) {
    if (isSpent(name, whole.path, counts)) continue;
    for (const { related, ...finding } of check(checked)) {
      const problem = { rule: name, severity, ...whole, ...finding };
      const key = `${name} ${problem.path}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (isSpent(name, whole.path, counts)) break;
      if (count > mostFindings) continue;
      if (count === mostFindings)
        problem.message += ' More problems of this rule in this file are not listed.';
      yield related
        ? { ...problem, related: related.map((place) => ({ ...whole, ...place })) }
        : problem;
    }
  }
}

/**
 * Whether a rule has had too many findings in a file, so that it is not applied to it any more.
 *
 * @param path '' for a rule on a shift or on the bank, which finds problems in several files: it is always applied
 * @param counts findings by rule and file; empty as long as nothing was found, which is checked first
 */
export function isSpent(rule: string, path: string, counts: ReadonlyMap<string, number>): boolean {
  return counts.size > 0 && path !== '' && (counts.get(`${rule} ${path}`) ?? 0) > mostFindings;
}

/** Other places that a finding of several places lists. */
const listedPlaces = 10;

/**
 * Makes one finding of those of a kind: at the first place, with the next places and the number of all.
 *
 * @param found each with its kind; one without a kind is not grouped
 * @param fewest of a kind that are grouped
 * @param describe the message of a group
 */
export function groupFindings<Found extends Finding>(
  found: readonly (readonly [kind: string | undefined, finding: Found])[],
  fewest: number,
  describe = (first: Found, count: number) =>
    `${first.message} The file has ${count - 1} more of these.`,
): Found[] {
  const kinds = groupBy(found, ([kind]) => kind);
  return found.flatMap(([kind, finding]) => {
    const group = (kind !== undefined && kinds.get(kind)) || [];
    if (group.length < fewest) return finding;
    if (group[0]?.[1] !== finding) return [];
    const others = group.slice(1).map(([, one]) => one);
    return {
      ...finding,
      message: describe(finding, group.length),
      related: others.slice(0, listedPlaces).map((other) => ({ ...other, message: 'Here, too.' })),
      others: others.map(({ pointer = '' }) => pointer),
    };
  });
}

/** Pointers to everything that problems are about. */
export function pointersOf(problems: readonly Problem[]): string[] {
  return problems.flatMap(({ pointer, others = [] }) => [pointer, ...others]);
}

/** Each item with a key that an earlier item has, and the first item that has it. */
export function repetitions<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string | undefined,
): { readonly first: Item; readonly again: Item }[] {
  const firsts = new Map<string, Item>();
  return [...items].flatMap((again) => {
    const key = keyOf(again);
    if (key === undefined) return [];
    const first = firsts.get(key);
    if (first !== undefined) return { first, again };
    firsts.set(key, again);
    return [];
  });
}

/** The place of a value that is repeated elsewhere. */
export function firstOccurrence(pointer: string): Pick<FindingPlace, 'message' | 'pointer'> {
  return { pointer, message: 'First occurrence.' };
}

/** Characters of a value that a message shows. */
const longestQuote = 80;

/** A value as a message shows it: as JSON, cut off when it is long. */
export function quote(value: unknown): string {
  if (Array.isArray(value)) return 'A list';
  if (typeof value === 'object' && value !== null) return 'An object';
  const text = typeof value === 'string' ? value.slice(0, longestQuote) : value;
  const json = JSON.stringify(text) ?? String(text);
  return json.length > longestQuote ? `${json.slice(0, longestQuote - 3)}...` : json;
}

/** A text of a question, for the rules on texts. */
export interface CheckedText {
  readonly path: string;
  /** JSON pointer (RFC 6901) to the text. */
  readonly pointer: string;
  readonly text: string;
}

/** A finding in a part of a text: offsets in UTF-16 units. */
export function textFinding(
  { path, pointer }: CheckedText,
  { start, end }: Span,
  message: string,
  suggestion?: string,
): Finding {
  return { path, pointer, part: { of: 'value', start, end }, message, suggestion };
}

/** The part of a text that matches a regular expression. */
export function spanOf({ 0: found, index }: RegExpExecArray): Span {
  return { start: index, end: index + found.length };
}

/** Whether asterisks are between a part of a text and other characters: these decide whether Markdown shows them. */
export function isBesideAsterisk(text: string, { start, end }: Span): boolean {
  const before = text.slice(Math.max(0, start - 4), start);
  const after = text.slice(end, end + 4);
  return (
    (before.endsWith('*') && !/(?:^|\s)\*{1,3}$/.test(before)) ||
    (after.startsWith('*') && !/^\*{1,3}(?:\s|$)/.test(after))
  );
}

/**
 * Returns a function that finds a part of a text from an offset on, or returns -1. It searches only once for a part that
 * is missing, which keeps long texts fast. Call it with offsets in ascending order.
 */
export function forwardFinder(text: string): (part: string, from: number) => number {
  const missing = new Set<string>();
  return (part, from) => {
    const at = missing.has(part) ? -1 : text.indexOf(part, from);
    if (at < 0) missing.add(part);
    return at;
  };
}

/** A rule on each text that readers see. */
export interface TextRule extends Rule<CheckedText> {
  /**
   * Without flags. A text that does not match it cannot break the rule, so that one test is enough for nearly all texts.
   * Undefined for a rule that only concerns texts as below.
   */
  readonly concerns: RegExp | undefined;
  /** The rule also concerns texts with a backslash or an unclosed dollar outside their formulas. */
  readonly concernsLoose?: true;
}

/** A formula, and what KaTeX reported about it. */
export interface CheckedFormula extends CheckedText {
  /** Offset of its LaTeX in the text, in UTF-16 units. */
  readonly start: number;
  readonly tex: string;
  readonly problem: FormulaProblem | undefined;
}

/** What is wrong with a formula: a part of its LaTeX. */
export interface FormulaProblem extends Span {
  /** KaTeX does not render it, or renders a character in another font. */
  readonly kind: 'unset' | 'character';
  readonly message: string;
  /** The correct LaTeX for the part. */
  readonly suggestion?: string | undefined;
  readonly certain?: boolean | undefined;
}

export interface CheckedPaper extends Paper {
  /** All papers of its shift, also this one. */
  readonly papers: readonly Paper[];
  /** The diagrams of the paper's shift, by file name. */
  readonly diagrams: ReadonlyMap<string, DiagramFile>;
  readonly now: Date;
}

export interface CheckedTranslation extends Translation {
  /** The paper that it translates, if there is one. */
  readonly original: Paper | undefined;
  /** The subjects of its shift that are translated into its language. */
  readonly subjects: ReadonlySet<string>;
  readonly now: Date;
}

/** The files of a shift, for the rules on shifts. */
export interface CheckedShift {
  readonly papers: readonly Paper[];
  readonly diagrams: readonly DiagramFile[];
  /** The texts of papers that are not JSON, or break their schema; undefined for one without text. */
  readonly wrongTexts: readonly (string | undefined)[];
}
