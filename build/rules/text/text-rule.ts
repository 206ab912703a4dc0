import type { CheckedText } from '../checked.ts';
import type { Rule } from '../rule.ts';

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
