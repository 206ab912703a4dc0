import type { ExaminedShift } from '../../build/check/examine.ts';
import { FingerprintTable } from '../../build/check/fingerprint-table.ts';
import { Work } from '../../build/check/work.ts';
import { findContent } from '../../build/content/find.ts';
import type { Bank } from '../../build/content/types.ts';
import { testNow } from './test-now.ts';

/** Reads a content folder as the build does, and keeps all of it. */
export async function readBank(contentDir: string): Promise<Bank> {
  const content = await findContent(contentDir);
  const work = new Work({
    ...{ contentDir, now: testNow.getTime() },
    ...{ passedFormulas: new FingerprintTable().words, passedFiles: new Uint32Array() },
  });
  const shifts: ExaminedShift[] = [];
  work.shifts(content.shifts, (shift) => shifts.push(shift));
  return {
    exams: work.exams(content.exams).map(({ exam }) => exam),
    papers: shifts.flatMap(({ papers }) => papers),
    diagrams: shifts.flatMap(({ diagrams }) => diagrams),
  };
}
