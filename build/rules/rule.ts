import type { DiagramFile, Paper, PlacedQuestion, ShiftPlace } from '../content/types.ts';

/** What a rule finds wrong, and where. */
export interface Finding {
  readonly message: string;
  /** Inside the content folder. */
  readonly path: string;
  /** JSON pointer (RFC 6901) to the value at fault; `''` is the whole file. */
  readonly pointer: string;
  /** What of the value is at fault, where it is not all of it. */
  readonly part?: Part;
  /** What belongs in the place of what is at fault, where that can be said. */
  readonly suggestion?: string;
  /** Other places that disagree with this one. */
  readonly related?: readonly RelatedPlace[];
}

export interface RelatedPlace {
  readonly message: string;
  readonly path: string;
  readonly pointer: string;
  readonly part?: Part;
}

/**
 * A part of what a pointer names: the property's name; a stretch of a text, in UTF-16 units of the value;
 * or a stretch of the file, in UTF-16 units of its text, for what is no value.
 */
export type Part =
  | { readonly of: 'name' }
  | { readonly of: 'value'; readonly start: number; readonly end: number }
  | { readonly of: 'file'; readonly start: number; readonly end: number };

export type Severity = 'error' | 'warning';

/**
 * One thing that content has to be. A rule decides and never prints; it is handed what it looks at and
 * reads nothing else.
 */
export interface Rule<Subject> extends RuleDescription {
  readonly check: (subject: Subject) => Iterable<Finding>;
}

/** What people are told of a rule. */
export interface RuleDescription {
  /** Stable: exceptions and reports name it. */
  readonly name: string;
  /** What content has to be, in a sentence. */
  readonly description: string;
  readonly severity: Severity;
  /** A piece of content that breaks the rule, and the same piece mended. */
  readonly example: { readonly wrong: string; readonly right: string };
  /** No exception is made: a release could not be built of content that breaks it. */
  readonly strict?: true;
}

/** A text of a question, as the rules on texts look at it. */
export interface CheckedText {
  readonly path: string;
  /** JSON pointer (RFC 6901) to the text. */
  readonly pointer: string;
  readonly text: string;
}

/** A formula that KaTeX has been asked about. */
export interface CheckedFormula extends CheckedText {
  /** Offset of its LaTeX in the text, in UTF-16 units. */
  readonly start: number;
  readonly tex: string;
  /** Undefined when there is nothing to say. */
  readonly fault: FormulaFault | undefined;
}

/** What KaTeX has to say of a formula. */
export interface FormulaFault {
  /** It does not set the formula, or sets it with a character of another font. */
  readonly kind: 'unset' | 'character';
  /** A sentence. */
  readonly message: string;
  /** Offsets in the LaTeX. */
  readonly start: number;
  readonly end: number;
  /** What belongs in the place of the stretch. */
  readonly suggestion?: string;
}

/** What the rules on one paper look at: its questions that are of their schema's form. */
export interface CheckedPaper extends ShiftPlace {
  readonly path: string;
  readonly subject: string;
  /** Undefined when it is not of its schema's form. */
  readonly lastUpdated: string | undefined;
  readonly questions: readonly PlacedQuestion[];
  /** The diagrams of the paper's shift, by file name. */
  readonly diagrams: ReadonlyMap<string, DiagramFile>;
  readonly now: Date;
}

/** What the rules on one shift look at. */
export interface CheckedShift extends ShiftPlace {
  readonly papers: readonly Paper[];
  readonly diagrams: readonly DiagramFile[];
}

/** A finding under the name of the rule that found it. */
export interface Problem extends Finding {
  readonly rule: string;
  readonly severity: Severity;
}

/** Of what one rule finds in one file, nobody reads more; a file of another kind may break it at every byte. */
const most = 1000;

/** What each rule of a list finds in one subject. */
export function* problemsOf<Subject>(rules: readonly Rule<Subject>[], subject: Subject): Generator<Problem> {
  for (const { name, severity, check } of rules) {
    const counts = new Map<string, number>();
    for (const finding of check(subject)) {
      const count = (counts.get(finding.path) ?? 0) + 1;
      counts.set(finding.path, count);
      if (count < most) yield { rule: name, severity, ...finding };
      if (count === most) yield { rule: name, severity, ...finding, message: andMore(finding.message) };
    }
  }
}

function andMore(message: string): string {
  return `${message} It goes on like this: no more of it is listed.`;
}

/** A rule on each text that people read. */
export interface TextRule extends Rule<CheckedText> {
  /**
   * Without flags. Texts that do not match it keep the rule, for sure: a text is held against all of them at once.
   * Undefined where only what is loose concerns the rule.
   */
  readonly concerns: RegExp | undefined;
  /** Texts concern it, too, that hold a backslash or an open dollar outside their formulas. */
  readonly concernsLoose?: true;
}
