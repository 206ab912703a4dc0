import type { DiagramFile, Paper, PlacedQuestion, ShiftPlace } from '../content/bank.ts';

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
