import { workerData } from 'node:worker_threads';
import type { FormulaFaultsTask } from '../check/worker.ts';
import type { ExamPlace, ShiftFolder } from '../content/find.ts';
import { refusing } from '../threads/refusal.ts';
import { type BuildSetting, BuildWork } from './build-work.ts';
import { compressHere, type PlainAnswer } from './encode.ts';

/** What one thread of many does for a build, a call a time; the pool puts data of its own before the setting. */
const work = new BuildWork((workerData as readonly [unknown, BuildSetting])[1]);

export const exams = (places: readonly ExamPlace[]) => work.exams(places);
export const shifts = refusing((folders: readonly ShiftFolder[]) => work.shifts(folders));
export const formulas = (texts: readonly string[]) => work.formulas(texts);
export const formulaFaults = ({ folders, failing }: FormulaFaultsTask) =>
  work.formulaFaults(folders, failing);
export const excepted = refusing((folders: readonly ShiftFolder[]) => work.excepted(folders));
export const compress = refusing((answers: readonly PlainAnswer[]) => compressHere(work.draft, answers));
