import { controlCharacters, invisibleCharacters, mojibake, nfc } from './characters.ts';
import { formulaDelimiters, latexOutsideFormula, smartQuotes } from './formula.ts';
import { html } from './html.ts';
import { type CheckedText, type Problem, problemsOf, type TextRule } from './rule.ts';

/**
 * What is held against each text of a question that is of its schema's form. Where several find fault with one
 * place, the first of them has the word.
 */
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

/** Of them, what is held against a name, which is shown as it stands: "<" and "$" mean nothing in it. */
export const nameRules: readonly TextRule[] = [mojibake, controlCharacters, invisibleCharacters, nfc];

/** Any of the rules may concern a text that matches; a text that does not match keeps all of them. */
const concerns = new RegExp(
  textRules.flatMap((rule) => (rule.concerns ? [`(?:${rule.concerns.source})`] : [])).join('|'),
);

/**
 * Whether a text has to be held against the rules. Nearly all have not, and this is all that it costs them.
 *
 * @param isLoose whether a backslash or an open dollar stands outside the formulas
 */
export function mayConcern(text: string, isLoose: boolean): boolean {
  return isLoose || concerns.test(text);
}

/**
 * What the rules find in a text. Where several find fault with one place, it is the first of them that is told:
 * they look at one mistake from several sides.
 *
 * @param isLoose as above
 * @param among of these rules
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

/** Whether a stretch of the text (UTF-16 units) is at fault already. */
export function isMarked(problems: readonly Problem[], start: number, end: number): boolean {
  return problems.some(({ part }) => part?.of === 'value' && part.start < end && start < part.end);
}
