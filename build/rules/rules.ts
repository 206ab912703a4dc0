import type { JsonFile } from '../content/file.ts';
import { bankRules } from './bank/rules.ts';
import type { CheckedFormula, CheckedPaper, CheckedShift } from './checked.ts';
import { exceptionRule } from './exception.ts';
import { byteOrderMark } from './file/byte-order-mark.ts';
import { duplicateKeys } from './file/duplicate-keys.ts';
import { readableFile } from './file/readable-file.ts';
import { schemaDescription } from './file/schema.ts';
import { syntax } from './file/syntax.ts';
import { utf8 } from './file/utf-8.ts';
import { formulaRule } from './formula/formula.ts';
import { formulaCharacters } from './formula/formula-characters.ts';
import { acceptedAnswer } from './paper/accepted-answer.ts';
import { answerAmongOptions } from './paper/answer-among-options.ts';
import { diagramAlt } from './paper/diagram-alt.ts';
import { diagramExists } from './paper/diagram-exists.ts';
import { diagramImage } from './paper/diagram-image.ts';
import { diagramName } from './paper/diagram-name.ts';
import { diagramSize } from './paper/diagram-size.ts';
import { droppedQuestion } from './paper/dropped-question.ts';
import { idPlace } from './paper/id-place.ts';
import { numericalAnswer } from './paper/numerical-answer.ts';
import { optionKeys } from './paper/option-keys.ts';
import { optionTexts } from './paper/option-texts.ts';
import { updated } from './paper/updated.ts';
import type { Rule, RuleDescription } from './rule.ts';
import { svgSafety } from './shift/svg-safety.ts';
import { unusedDiagram } from './shift/unused-diagram.ts';
import { textRules } from './text/rules.ts';

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
