import type { Files } from '../bank-folder.ts';

/** Content, and what one rule finds in it. */
export interface RuleCase {
  readonly rule: string;
  /** What the content shows, as a sentence. */
  readonly shows: string;
  /** All files of the content folder. */
  readonly files: Files;
  /** Puts into the folder what is no file with a content. */
  readonly make?: (dir: string) => Promise<void>;
  /** Every diagnostic of the report; none where the rule is kept. */
  readonly found: readonly Found[];
}

export interface Found {
  readonly message: string;
  readonly file: string;
  readonly pointer: string;
  /** `line:column-endLine:endColumn` */
  readonly at: string;
  readonly suggestion?: string;
  readonly related?: readonly FoundRelated[];
}

export interface FoundRelated {
  readonly message: string;
  readonly file: string;
  /** `line:column-endLine:endColumn` */
  readonly at: string;
}

/** The place of a file that has no text to point into. */
export const startOfFile = '1:1-1:1';
