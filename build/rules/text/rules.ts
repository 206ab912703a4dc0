import { controlCharacters } from './control-characters.ts';
import { formulaDelimiters } from './formula-delimiters.ts';
import { html } from './html.ts';
import { invisibleCharacters } from './invisible-characters.ts';
import { latexOutsideFormula } from './latex-outside-formula.ts';
import { mojibake } from './mojibake.ts';
import { nfc } from './nfc.ts';
import { smartQuotes } from './smart-quotes.ts';
import type { TextRule } from './text-rule.ts';

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
