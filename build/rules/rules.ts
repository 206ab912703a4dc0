import type { JsonFile } from '../content/file.ts';
import {
  acceptedAnswer,
  answerAmongOptions,
  droppedQuestion,
  numericalAnswer,
  optionKeys,
  optionTexts,
} from './answers.ts';
import { bankRules } from './bank.ts';
import {
  diagramAlt,
  diagramExists,
  diagramImage,
  diagramName,
  diagramSize,
  svgSafety,
  unusedDiagram,
} from './diagrams.ts';
import { exceptionRule } from './exception.ts';
import { byteOrderMark, duplicateKeys, readableFile, utf8 } from './file.ts';
import { formulaCharacters, formulaRule } from './formula.ts';
import { idPlace, updated } from './paper.ts';
import type { CheckedFormula, CheckedPaper, CheckedShift, Rule, RuleDescription } from './rule.ts';
import { schemaDescription } from './schema.ts';
import { syntax } from './syntax.ts';
import { textRules } from './text.ts';

/** What is held against each JSON file, before its schema. */
export const fileRules: readonly Rule<JsonFile>[] = [
  readableFile,
  utf8,
  byteOrderMark,
  syntax,
  duplicateKeys,
];

/** What is held against each formula of those texts. */
export const formulaRules: readonly Rule<CheckedFormula>[] = [formulaRule, formulaCharacters];

/** What is held against the questions of each paper that are of their schema's form. */
export const paperRules: readonly Rule<CheckedPaper>[] = [
  updated,
  idPlace,
  optionKeys,
  optionTexts,
  answerAmongOptions,
  acceptedAnswer,
  droppedQuestion,
  numericalAnswer,
  diagramExists,
  diagramName,
  diagramImage,
  diagramSize,
  diagramAlt,
];

/** What is held against the files of each shift together. */
export const shiftRules: readonly Rule<CheckedShift>[] = [svgSafety, unusedDiagram];

/** Every rule, in the order in which they are listed to people. */
export const allRules: readonly RuleDescription[] = [
  ...fileRules,
  schemaDescription,
  ...textRules,
  ...formulaRules,
  ...paperRules,
  ...shiftRules,
  ...bankRules,
  exceptionRule,
];
