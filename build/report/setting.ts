import type { RuleDescription } from '../rules/rule.ts';

/** What a report depends on beside the problems. Each format takes of it what it needs. */
export interface ReportSetting {
  /** Put before each file, so that terminals, GitHub and viewers can open it: CONTENT_DIR as it was given. */
  readonly contentDir: string;
  /** Columns of the terminal. */
  readonly width: number;
  readonly colour: boolean;
  /** All that content was held against, whether or not it was broken. */
  readonly rules: readonly RuleDescription[];
}
