import type { BankFacts } from '../facts.ts';
import type { Rule } from '../rule.ts';
import { examCode } from './exam-code.ts';
import { examFile } from './exam-file.ts';
import { notEmpty } from './not-empty.ts';
import { readableFolder } from './readable-folder.ts';
import { repeatedStem } from './repeated-stem.ts';
import { shiftName } from './shift-name.ts';
import { strayFile } from './stray-file.ts';
import { subjectAllowed } from './subject-allowed.ts';
import { uniqueIds } from './unique-ids.ts';

/** What is held against the bank as a whole: places, and what must be unique in all of it. */
export const bankRules: readonly Rule<BankFacts>[] = [
  notEmpty,
  strayFile,
  readableFolder,
  examCode,
  examFile,
  shiftName,
  subjectAllowed,
  uniqueIds,
  repeatedStem,
];
