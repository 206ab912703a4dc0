import { workerData } from 'node:worker_threads';
import type { ExamPlace, ShiftFolder } from '../content/find.ts';
import { Work, type WorkSetting } from './work.ts';

/** What one thread of many does, a call a time; the pool hands each thread its setting when it starts. */
const work = new Work(settingOf(workerData));

export const exams = (places: readonly ExamPlace[]) => work.exams(places);
export const shifts = (folders: readonly ShiftFolder[]) => work.shifts(folders);
export const prints = (folders: readonly ShiftFolder[]) => work.prints(folders);
export const formulas = (texts: readonly string[]) => work.formulas(texts);
export const formulaFaults = ({ folders, failing }: FormulaFaultsTask) =>
  work.formulaFaults(folders, failing);

export interface FormulaFaultsTask {
  readonly folders: readonly ShiftFolder[];
  readonly failing: Uint32Array;
}

/** The pool puts data of its own before that of its user. */
function settingOf([, setting]: readonly [unknown, WorkSetting]): WorkSetting {
  return setting;
}
