/** All rules, by what they check. */
import type { JsonFile } from '../content/file.ts';
import { answerRules } from './answers.ts';
import { bankRules, exceptionRule } from './bank.ts';
import { diagramRules, svgSafety, unusedDiagram } from './diagrams.ts';
import { byteOrderMark, duplicateKeys, readableFile, utf8 } from './file.ts';
import { formulaCharacters, formulaRule } from './formula.ts';
import { markdownRules } from './markdown.ts';
import { paperRules as ownPaperRules, updated } from './paper.ts';
import type {
  CheckedFormula,
  CheckedPaper,
  CheckedShift,
  CheckedTranslation,
  Rule,
  RuleDescription,
} from './rule.ts';
import { schemaRule } from './schema.ts';
import { syntax } from './syntax.ts';
import { textRules } from './text.ts';
import { ownTranslationRules } from './translations.ts';

/** On each JSON file, before its schema. */
export const fileRules: readonly Rule<JsonFile>[] = [
  readableFile,
  utf8,
  byteOrderMark,
  syntax,
  duplicateKeys,
];

/** On each formula of a text. */
export const formulaRules: readonly Rule<CheckedFormula>[] = [formulaRule, formulaCharacters];

/** On the valid questions of each paper. */
export const paperRules: readonly Rule<CheckedPaper>[] = [
  updated,
  ...ownPaperRules,
  ...answerRules,
  ...diagramRules,
];

/** On each translation, beside the rules on texts. */
export const translationRules: readonly Rule<CheckedTranslation>[] = [
  updated,
  ...ownTranslationRules,
];

/** On the files of each shift. */
export const shiftRules: readonly Rule<CheckedShift>[] = [svgSafety, unusedDiagram];

/** Every rule, in the order of the documentation. */
export const allRules: readonly RuleDescription[] = [
  ...fileRules,
  schemaRule,
  ...textRules,
  ...markdownRules,
  ...formulaRules,
  ...paperRules,
  ...ownTranslationRules,
  ...shiftRules,
  ...bankRules,
  exceptionRule,
];
