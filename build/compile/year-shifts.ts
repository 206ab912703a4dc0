import { checksumOf } from './checksum.ts';
import type { QuestionFile, ShiftSummary, YearShifts } from './resources.ts';

/**
 * The year shifts resource (2.2).
 *
 * @param shifts in chronological order, each with its question files in the order of the exam's subjects
 */
export function yearShifts(
  exam: string,
  year: number,
  shifts: readonly (readonly QuestionFile[])[],
): YearShifts {
  return { exam, year, shifts: shifts.map(shiftSummary) };
}

function shiftSummary(files: readonly QuestionFile[]): ShiftSummary {
  const [first] = files;
  if (!first) throw new RangeError('A shift has at least one question file.');
  return {
    shift: first.shift,
    subjects: files.map(({ subject }) => subject),
    total: files.reduce((sum, { total }) => sum + total, 0),
    lastUpdated: newestDate(files),
    checksum: checksumOf(
      Object.fromEntries(files.map(({ subject, metadata }) => [subject, metadata.checksum])),
    ),
  };
}

/** The UTC date of the newest `lastUpdated`: moments compared as moments, since fractions of a second may be written or not. */
function newestDate(files: readonly QuestionFile[]): string {
  const newest = Math.max(...files.map(({ metadata }) => Date.parse(metadata.lastUpdated)));
  return new Date(newest).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
