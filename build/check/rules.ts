import type { Bank } from '../read/bank.ts';
import { examCode } from './bank/exam-code.ts';
import { examFile } from './bank/exam-file.ts';
import { notEmpty } from './bank/not-empty.ts';
import { shiftName } from './bank/shift-name.ts';
import { strayFile } from './bank/stray-file.ts';
import { subjectAllowed } from './bank/subject-allowed.ts';
import { uniqueIds } from './bank/unique-ids.ts';
import { unusedDiagram } from './bank/unused-diagram.ts';
import { acceptedAnswer } from './paper/accepted-answer.ts';
import { answerAmongOptions } from './paper/answer-among-options.ts';
import { characters } from './paper/characters.ts';
import type { CheckedPaper } from './paper/checked-paper.ts';
import { diagramFiles } from './paper/diagram-files.ts';
import { optionKeys } from './paper/option-keys.ts';
import { optionTexts } from './paper/option-texts.ts';
import type { Rule } from './rule.ts';

/** What is held against the bank as a whole: places, and what must be unique in all of it. */
export const bankRules: readonly Rule<Bank>[] = [
  notEmpty,
  strayFile,
  examCode,
  examFile,
  shiftName,
  subjectAllowed,
  uniqueIds,
  unusedDiagram,
];

/** What is held against the questions of each paper that are of their schema's form. */
export const paperRules: readonly Rule<CheckedPaper>[] = [
  characters,
  optionKeys,
  optionTexts,
  answerAmongOptions,
  acceptedAnswer,
  diagramFiles,
];
