/** Applies the rules on texts to a text. */
import { controlCharacters, invisibleCharacters, mojibake, nfc } from './characters.ts';
import { formulaDelimiters, latexOutsideFormula, smartQuotes } from './formula.ts';
import { html } from './html.ts';
import { type CheckedText, type Problem, problemsOf, type TextRule } from './rule.ts';

/** Rules on each text of a question. Of several findings in one place, only that of the first rule counts. */
export const textRules: readonly TextRule[] = [
  mojibake,
  controlCharacters,
  invisibleCharacters,
  html,
  smartQuotes,
  formulaDelimiters,
  latexOutsideFormula,
  nfc,
];

/** Rules on names, in which "<" and "$" have no meaning. */
export const nameRules: readonly TextRule[] = [mojibake, controlCharacters, invisibleCharacters, nfc];

/** A text that does not match breaks none of the rules. */
const concerns = new RegExp(
  textRules.flatMap((rule) => (rule.concerns ? [`(?:${rule.concerns.source})`] : [])).join('|'),
);

/**
 * Whether a text may break a rule. For nearly all texts, this one test is enough.
 *
 * @param isLoose whether there is a backslash or an unclosed dollar outside the formulas
 */
export function mayConcern(text: string, isLoose: boolean): boolean {
  return isLoose || concerns.test(text);
}

/**
 * The problems of a text. Several rules may find the same mistake: of problems that overlap, only the first is returned.
 *
 * @param isLoose as above
 * @param among the rules to apply
 */
export function textProblems(text: CheckedText, isLoose: boolean, among = textRules): Problem[] {
  const rules = among.filter((rule) => (isLoose && rule.concernsLoose) || rule.concerns?.test(text.text));
  const problems: Problem[] = [];
  for (const problem of problemsOf(rules, text)) {
    const { part } = problem;
    if (part?.of !== 'value' || !isMarked(problems, part.start, part.end)) problems.push(problem);
  }
  return problems;
}

/** Whether some of the problems overlap a part of the text (UTF-16 units). */
export function isMarked(problems: readonly Problem[], start: number, end: number): boolean {
  return problems.some(({ part }) => part?.of === 'value' && part.start < end && start < part.end);
}
