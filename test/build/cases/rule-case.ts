import type { Files } from '../bank-folder.ts';

/** Content, and the diagnostics of one rule in it. */
export interface RuleCase {
  readonly rule: string;
  /** Name of the test. */
  readonly title: string;
  /** All files of the content folder. */
  readonly files: Files;
  /** Changes the folder in other ways than writing files. */
  readonly make?: (dir: string) => Promise<void>;
  /** Every diagnostic of the report; none for valid content. */
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

/** The place of a diagnostic on a file without text. */
export const startOfFile = '1:1-1:1';
