/** All rules, by what they check. */
import type { JsonFile } from '../content/file.ts';
import { bankRules, exceptionRule } from './bank.ts';
import {
  controlCharacters,
  halfCharacters,
  invisibleCharacters,
  mojibake,
  nfc,
  privateUse,
} from './characters.ts';
import { diagramRules, svgSafety, unusedDiagram } from './diagrams.ts';
import { byteOrderMark, duplicateKeys, readableFile, utf8 } from './file.ts';
import {
  formulaCharacters,
  formulaDelimiters,
  formulaRule,
  latexOutsideFormula,
  smartQuotes,
} from './formula.ts';
import { html } from './html.ts';
import { blankLines, markdownRules } from './markdown.ts';
import { paperRules as ownPaperRules, updated } from './paper.ts';
import type {
  CheckedFormula,
  CheckedPaper,
  CheckedShift,
  CheckedTranslation,
  Rule,
  RuleDescription,
  TextRule,
} from './rule.ts';
import { schemaRule } from './schema.ts';
import { syntax } from './syntax.ts';
import { ownTranslationRules } from './translations.ts';

/** On each JSON file, before its schema. */
export const fileRules: readonly Rule<JsonFile>[] = [
  readableFile,
  utf8,
  byteOrderMark,
  syntax,
  duplicateKeys,
];

/** On each text of a question. Of several findings in one place, only that of the first rule counts. */
export const textRules: readonly TextRule[] = [
  mojibake,
  halfCharacters,
  controlCharacters,
  invisibleCharacters,
  html,
  smartQuotes,
  formulaDelimiters,
  latexOutsideFormula,
  blankLines,
  privateUse,
  nfc,
];

/** On names, in which "<" and "$" have no meaning. */
export const nameRules: readonly TextRule[] = [
  mojibake,
  halfCharacters,
  controlCharacters,
  invisibleCharacters,
  nfc,
];

/** On each formula of a text. */
export const formulaRules: readonly Rule<CheckedFormula>[] = [formulaRule, formulaCharacters];

/** On the valid questions of each paper. */
export const paperRules: readonly Rule<CheckedPaper>[] = [updated, ...ownPaperRules];

/** On each translation, beside the rules on texts. */
export const translationRules: readonly Rule<CheckedTranslation>[] = [
  updated,
  ...ownTranslationRules,
];

/** On the files of each shift with diagrams. */
export const shiftRules: readonly Rule<CheckedShift>[] = [svgSafety, unusedDiagram];

/** Every rule, in the order of the documentation. */
export const allRules: readonly RuleDescription[] = [
  ...fileRules,
  schemaRule,
  ...textRules,
  ...markdownRules,
  ...formulaRules,
  ...paperRules,
  ...diagramRules,
  ...ownTranslationRules,
  ...shiftRules,
  ...bankRules,
  exceptionRule,
];

/** A release cannot be built of content that breaks them. */
export const strictRules: ReadonlySet<string> = new Set(
  allRules.filter((rule) => rule.strict).map(({ name }) => name),
);
