/** The shape that every rule has, and what rules check. */
import type { Span } from '../content/positions.ts';
import type { DiagramFile, Paper, PlacedQuestion, ShiftPlace } from '../content/types.ts';

/**
 * One requirement on content. A rule never prints and reads no files: it is given what it checks.
 */
export interface Rule<Subject> extends RuleDescription {
  readonly check: (subject: Subject) => Iterable<Finding>;
}

/** What the documentation and the reports show of a rule. */
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

/** A violation of a rule. */
export interface Finding extends FindingPlace {
  /** The correct text for the place, where there is one. */
  readonly suggestion?: string | undefined;
  /** Other places that conflict with this one. */
  readonly related?: readonly FindingPlace[];
}

export interface FindingPlace {
  readonly message: string;
  /** Inside the content folder. */
  readonly path: string;
  /** JSON pointer (RFC 6901) to the value; `''` is the whole file. */
  readonly pointer: string;
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

/** A finding with the name of its rule. */
export interface Problem extends Finding {
  readonly rule: string;
  readonly severity: Severity;
}

/** Findings of one rule in one file. A file of another kind may break a rule at every byte. */
const mostFindings = 1000;

/** The findings of some rules in one subject. */
export function* problemsOf<Subject>(rules: readonly Rule<Subject>[], subject: Subject): Generator<Problem> {
  for (const { name, severity, check } of rules) {
    const counts = new Map<string, number>();
    for (const finding of check(subject)) {
      const count = (counts.get(finding.path) ?? 0) + 1;
      counts.set(finding.path, count);
      if (count > mostFindings) continue;
      const isLast = count === mostFindings;
      const message = isLast
        ? `${finding.message} More of the same follow and are not listed.`
        : finding.message;
      yield { rule: name, severity, ...finding, message };
    }
  }
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
}

/** The questions of a paper that conform to their schema, for the rules on papers. */
export interface CheckedPaper extends ShiftPlace {
  readonly path: string;
  readonly subject: string;
  /** Undefined when it does not conform to the schema. */
  readonly lastUpdated: string | undefined;
  readonly questions: readonly PlacedQuestion[];
  /** The diagrams of the paper's shift, by file name. */
  readonly diagrams: ReadonlyMap<string, DiagramFile>;
  readonly now: Date;
}

/** The files of a shift, for the rules on shifts. */
export interface CheckedShift extends ShiftPlace {
  readonly papers: readonly Paper[];
  readonly diagrams: readonly DiagramFile[];
}
