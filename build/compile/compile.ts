import type { Exam } from '../content/bank.ts';
import type { ExamFile } from '../content/content.ts';
import { shiftAliases } from './aliases.ts';
import type { CompiledShift } from './compiled-shift.ts';
import type { ExamYears, YearShifts } from './resources.ts';
import { compareShifts } from './shift.ts';
import { yearShifts } from './year-shifts.ts';

export interface CompiledExam {
  readonly resource: ExamYears;
  /** Those that the exam may have, in the order in which they are listed to readers. */
  readonly subjects: readonly string[];
  /** Newest first. */
  readonly years: readonly CompiledYear[];
}

export interface CompiledYear {
  readonly resource: YearShifts;
  /** Every accepted spelling of a shift, and the full name that it stands for. */
  readonly aliases: ReadonlyMap<string, string>;
  /** In chronological order, their papers in the order of the exam's subjects. */
  readonly shifts: readonly CompiledShift[];
}

/**
 * Puts exams that passed their checks and their shifts together: the public resources of the API, and what a request
 * needs to find a paper. Exams come in the order of their codes.
 *
 * @param shifts of all exams, in any order
 */
export function compileExams(exams: readonly Exam[], shifts: readonly CompiledShift[]): CompiledExam[] {
  const shiftsByExam = groupBy(shifts, ({ exam }) => exam);
  return [...exams]
    .sort((a, b) => (a.code < b.code ? -1 : 1))
    .map(({ code, content }) => {
      if (!content) throw new Error(`The checks let ${code}/exam.json pass, which broke its schema.`);
      return compileExam(code, content, shiftsByExam.get(code) ?? []);
    });
}

function compileExam(
  code: string,
  { label, subjects }: ExamFile,
  shifts: readonly CompiledShift[],
): CompiledExam {
  const years = [...groupBy(shifts, ({ year }) => year)]
    .sort(([a], [b]) => Number(b) - Number(a))
    .map(([year, ofYear]) => compileYear(code, Number(year), subjects, ofYear));
  const resource = {
    exam: code,
    label,
    years: years.map((year) => year.resource.year),
    totalYears: years.length,
  };
  return { resource, subjects, years };
}

function compileYear(
  exam: string,
  year: number,
  subjects: readonly string[],
  shifts: readonly CompiledShift[],
): CompiledYear {
  const inOrder = shifts
    .map((shift) => ({
      ...shift,
      papers: [...shift.papers].sort((a, b) => subjects.indexOf(a.subject) - subjects.indexOf(b.subject)),
    }))
    .sort((a, b) => compareShifts(a.shift, b.shift));
  return {
    resource: yearShifts(exam, year, inOrder),
    aliases: shiftAliases(inOrder.map(({ shift }) => shift)),
    shifts: inOrder,
  };
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
