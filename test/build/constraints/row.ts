import type { Question } from '../../../build/content/types.ts';

/** What shows that a constraint of a schema holds: a change to a valid file that it allows, and one that it refuses. */
export interface ConstraintRow {
  /**
   * The constraints that refuse the change, as pointers into the schema, `required` followed by the
   * property's name. There are several where one cannot be broken without the other.
   */
  readonly constraints: readonly string[];
  /** Pointer to the value that is changed. */
  readonly at: string;
  /** Values that are allowed there; `undefined` leaves the property out. */
  readonly passes: readonly unknown[];
  readonly fails: unknown;
  /** A piece of the message; left out where several constraints may each have the word. */
  readonly says?: string;
  /** What the diagnostic points to, where that is not `at`. */
  readonly pointer?: string;
  /** The question of the subject file that is changed, where it is not the sample of type `mcq`. */
  readonly question?: Question;
}

/** Rows that refuse one value after the other for the same reason. */
export function refusing(
  values: readonly unknown[],
  row: Omit<ConstraintRow, 'fails' | 'says'>,
  says: string,
): ConstraintRow[] {
  // What is allowed need be shown but once.
  return values.map((fails, index) => ({ ...row, passes: index === 0 ? row.passes : [], fails, says }));
}

/** The same rows on a subject file that holds this question. */
export function onQuestion(question: Question, rows: readonly ConstraintRow[]): ConstraintRow[] {
  return rows.map((row) => ({ ...row, question }));
}

/** Leaving a property out that has to be there. */
export function required(schema: string, holder: string, name: string, value: unknown): ConstraintRow {
  return {
    constraints: [`${schema}/required/${name}`],
    at: `${holder}/${name}`,
    passes: [value],
    fails: undefined,
    says: `The property "${name}" is missing.`,
    pointer: holder,
  };
}

/** A property that the schema does not know. */
export function additional(schema: string, holder: string, known: string): ConstraintRow {
  return {
    constraints: [`${schema}/additionalProperties`],
    at: `${holder}/colour`,
    passes: [undefined],
    fails: 'red',
    says: `Unknown property "colour". Known properties: ${known}.`,
  };
}
