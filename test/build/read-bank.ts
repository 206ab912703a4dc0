import { join } from 'node:path';
import { parseShift, processExam } from '../../build/check/process-shift.ts';
import { maxJsonBytes, readBytes, readShift } from '../../build/content/file.ts';
import { findContent } from '../../build/content/find.ts';
import type { DiagramFile, Exam, Paper } from '../../build/content/types.ts';

/** The parsed content of a folder. */
export interface Bank {
  /** The files `shift.json`. */
  readonly details: ReturnType<typeof parseShift>['details'];
  readonly exams: readonly Exam[];
  readonly papers: readonly Paper[];
  readonly diagrams: readonly DiagramFile[];
}

/** Reads a content folder as the build does. */
export async function readBank(contentDir: string): Promise<Bank> {
  const content = await findContent(contentDir);
  const shifts = content.shifts.map((folder) => parseShift(folder, readShift(contentDir, folder)));
  return {
    exams: content.exams.map((place) => {
      return processExam(place, readBytes(join(contentDir, place.path), maxJsonBytes)).exam;
    }),
    details: shifts.flatMap(({ details }) => details),
    papers: shifts.flatMap(({ papers }) => papers),
    diagrams: shifts.flatMap(({ diagrams }) => diagrams),
  };
}
