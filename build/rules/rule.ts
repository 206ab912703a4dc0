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
