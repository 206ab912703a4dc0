import { checksumOf } from './checksum.ts';
import type { CompiledPaper, CompiledShift } from './compiled-shift.ts';
import type { ShiftSummary, YearShifts } from './resources.ts';

/**
 * The year shifts resource (2.2).
 *
 * @param shifts in chronological order, each with its papers in the order of the exam's subjects
 */
export function yearShifts(exam: string, year: number, shifts: readonly CompiledShift[]): YearShifts {
  return { exam, year, shifts: shifts.map(shiftSummary) };
}

function shiftSummary({ shift, papers }: CompiledShift): ShiftSummary {
  return {
    shift,
    subjects: papers.map(({ subject }) => subject),
    total: papers.reduce((sum, { total }) => sum + total, 0),
    lastUpdated: newestDate(papers),
    checksum: checksumOf(Object.fromEntries(papers.map(({ subject, checksum }) => [subject, checksum]))),
  };
}

/** The UTC date of the newest `lastUpdated`: moments compared as moments, since fractions of a second may be written or not. */
function newestDate(papers: readonly CompiledPaper[]): string {
  const newest = Math.max(...papers.map(({ lastUpdated }) => Date.parse(lastUpdated)));
  return new Date(newest).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
