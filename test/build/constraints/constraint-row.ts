import type { Question } from '../../../build/content/types.ts';

/** A test of a constraint of a schema: changes to a valid file that it allows, and one that it rejects. */
export interface ConstraintRow {
  /**
   * The constraints that reject the change, as pointers into the schema, `required` followed by the
   * property's name. There are several if one cannot be violated without the other.
   */
  readonly constraints: readonly string[];
  /** Pointer to the value that is changed. */
  readonly at: string;
  /** Values that are allowed there; `undefined` leaves the property out. */
  readonly passes: readonly unknown[];
  readonly fails: unknown;
  /** A part of the message. Omitted if the message depends on which of several constraints is checked first. */
  readonly message?: string;
  /** The pointer of the diagnostic if it is not `at`. */
  readonly pointer?: string;
  /** The question of the subject file. Default: the sample of type `mcq`. */
  readonly question?: Question;
}

/** Rows for several values that are rejected for the same reason. */
export function rejectedValues(
  values: readonly unknown[],
  row: Omit<ConstraintRow, 'fails' | 'message'>,
  message: string,
): ConstraintRow[] {
  // The allowed values are tested once.
  return values.map((fails, index) => ({ ...row, passes: index === 0 ? row.passes : [], fails, message }));
}

/** The same rows for a subject file with this question. */
export function onQuestion(question: Question, rows: readonly ConstraintRow[]): ConstraintRow[] {
  return rows.map((row) => ({ ...row, question }));
}

/** A missing required property. */
export function required(schema: string, holder: string, name: string, value: unknown): ConstraintRow {
  return {
    constraints: [`${schema}/required/${name}`],
    at: `${holder}/${name}`,
    passes: [value],
    fails: undefined,
    message: `The property "${name}" is missing.`,
    pointer: holder,
  };
}

/** An unknown property. */
export function additional(schema: string, holder: string, known: string): ConstraintRow {
  return {
    constraints: [`${schema}/additionalProperties`],
    at: `${holder}/colour`,
    passes: [undefined],
    fails: 'red',
    message: `Unknown property "colour". Known properties: ${known}.`,
  };
}
