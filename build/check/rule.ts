/** What a rule finds wrong, and where. */
export interface Finding {
  readonly message: string;
  /** Inside the content folder. */
  readonly path: string;
  /** JSON pointer (RFC 6901) to the value at fault; `''` is the whole file. */
  readonly pointer: string;
  /** The property's name is at fault, not its value. */
  readonly atKey?: boolean;
  /** What would be right, where that can be said. */
  readonly suggestion?: string;
  /** Other places that disagree with this one. */
  readonly related?: readonly RelatedPlace[];
}

export interface RelatedPlace {
  readonly message: string;
  readonly path: string;
  readonly pointer: string;
}

export type Severity = 'error' | 'warning';

/**
 * One thing that content has to be. A rule decides and never prints; it is handed what it looks at and
 * reads nothing else.
 */
export interface Rule<Subject> {
  /** Stable: exceptions and reports name it. */
  readonly name: string;
  readonly description: string;
  readonly severity: Severity;
  readonly check: (subject: Subject) => Iterable<Finding>;
}
