import { join } from 'node:path';
import { parseShift, processExam } from '../../build/check/process-shift.ts';
import { maxJsonBytes, readBytes } from '../../build/content/file.ts';
import { findContent } from '../../build/content/find.ts';
import { readShift } from '../../build/content/shift-files.ts';
import type { Bank } from '../../build/content/types.ts';

/** Reads all of a content folder as the build does. */
export async function readBank(contentDir: string): Promise<Bank> {
  const content = await findContent(contentDir);
  const shifts = content.shifts.map((folder) => parseShift(folder, readShift(contentDir, folder)));
  return {
    exams: content.exams.map((place) => {
      return processExam(place, readBytes(join(contentDir, place.path), maxJsonBytes)).exam;
    }),
    papers: shifts.flatMap(({ papers }) => papers),
    diagrams: shifts.flatMap(({ diagrams }) => diagrams),
  };
}
