import { compareTexts, groupBy } from '../content/groups.ts';
import { type Exam, subjectCodes, subjectLabels } from '../content/types.ts';
import type { Bank } from '../release/config.ts';
import type {
  ExamForm,
  ExamList,
  ExamYears,
  ShiftSummary,
  YearShifts,
} from '../release/resources.ts';
import { examListPath, parseShift } from '../release/urls.ts';
import type { CompiledShift } from './compile-shift.ts';
import { publicOutput } from './compile-shift.ts';
import { checksumOf, inSchemaOrder, type Output } from './response.ts';

export interface CompiledExam {
  readonly resource: ExamYears;
  /** The subjects that the exam may have, in the order in which they are listed to readers. */
  readonly subjects: readonly string[];
  /** Newest first. */
  readonly years: readonly CompiledYear[];
}

export interface CompiledYear {
  readonly resource: YearShifts;
  /** Full names of shifts by every accepted spelling. */
  readonly aliases: ReadonlyMap<string, string>;
  /** In chronological order, their papers in the order of the exam's subjects. */
  readonly shifts: readonly CompiledShift[];
}

/**
 * Compiles exams that passed their checks: the public resources of the API, and what a request needs to find a paper.
 * Exams come in the order of their codes.
 *
 * @param shifts of all exams, in any order
 * @param bank has the language and source of exams that name none
 */
export function compileExams(
  exams: readonly Exam[],
  shifts: readonly CompiledShift[],
  { lang, source: bankSource }: Pick<Bank, 'lang' | 'source'> = {},
): CompiledExam[] {
  const shiftsByExam = groupBy(shifts, ({ exam }) => exam);
  return [...exams]
    .sort((a, b) => (a.code < b.code ? -1 : 1))
    .map(({ code: exam, content }) => {
      if (!content) throw new Error(`${exam}/exam.json passed the checks but breaks its schema.`);
      const subjects = subjectCodes(content);
      const labels = subjectLabels(content);
      const form = inSchemaOrder('ExamForm', content.form);
      const years = [...groupBy(shiftsByExam.get(exam) ?? [], ({ year }) => year)]
        .sort(([a], [b]) => Number(b) - Number(a))
        .map(([year, ofYear]) => compileYear(exam, Number(year), subjects, ofYear, form));
      const resource: ExamYears = {
        exam,
        label: content.label,
        years: years.map(({ resource }) => resource.year),
        totalYears: years.length,
        subjectLabels: labels.size > 0 ? Object.fromEntries(labels) : undefined,
        lang: content.lang ?? lang,
        source: inSchemaOrder('Source', content.source ?? bankSource),
        form,
      };
      return { resource, subjects, years };
    });
}

function compileYear(
  exam: string,
  year: number,
  subjects: readonly string[],
  shifts: readonly CompiledShift[],
  form: ExamForm | undefined,
): CompiledYear {
  const inOrder = shifts
    .map((shift) => ({
      ...shift,
      papers: bySubject(shift.papers, subjects),
      translations: shift.translations && bySubject(shift.translations, subjects),
    }))
    .sort((a, b) => compareShifts(a.shift, b.shift));
  return {
    resource: { exam, year, shifts: inOrder.map((shift) => shiftSummary(shift, form)) },
    aliases: shiftAliases(inOrder.map(({ shift }) => shift)),
    shifts: inOrder,
  };
}

/** Chronological order: by date, then by the shift's number as a number, so that `s10` comes after `s2`. */
export function compareShifts(a: string, b: string): number {
  const left = parseShift(a);
  const right = parseShift(b);
  return compareTexts(left.date, right.date) || left.number - right.number;
}

/**
 * Every accepted spelling of the shifts of one year (section 4 of the specification, Shift resolution). If a spelling
 * matches several shifts, a full name precedes an ordinal (`s1`), an ordinal precedes a prefix, and a prefix names the
 * first matching shift in chronological order.
 *
 * @param shifts full names in chronological order
 * @returns spelling to full name
 */
function shiftAliases(shifts: readonly string[]): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const shift of shifts) aliases.set(shift, shift);
  for (const [index, shift] of shifts.entries()) add(aliases, `s${index + 1}`, shift);
  for (const shift of shifts) {
    // The year is already in the path of a request.
    const withoutYear = shift.slice('YYYY-'.length);
    for (let end = 1; end < shift.length; end += 1) add(aliases, shift.slice(0, end), shift);
    // A shorter prefix could also be the start of a year.
    for (let end = 'MM-DD'.length; end <= withoutYear.length; end += 1)
      add(aliases, withoutYear.slice(0, end), shift);
  }
  return aliases;
}

function add(aliases: Map<string, string>, spelling: string, shift: string): void {
  if (!aliases.has(spelling)) aliases.set(spelling, shift);
}

/** Sorts files in the order of the exam's subjects; those of one subject keep their order. */
function bySubject<File extends { readonly subject: string }>(
  files: readonly File[],
  subjects: readonly string[],
): File[] {
  return files.toSorted((a, b) => subjects.indexOf(a.subject) - subjects.indexOf(b.subject));
}

/** @param ofExam the form of shifts that have none of their own */
function shiftSummary(
  { shift, papers, lastUpdated, translations, details, form }: CompiledShift,
  ofExam: ExamForm | undefined,
): ShiftSummary {
  return {
    shift,
    subjects: papers.map(({ subject }) => subject),
    total: papers.reduce((sum, { total }) => sum + total, 0),
    lastUpdated: lastUpdated.slice(0, 'YYYY-MM-DD'.length),
    checksum: checksumOf(
      Object.fromEntries(papers.map(({ subject, checksum }) => [subject, checksum])),
    ),
    translations,
    ...details,
    form: form ?? ofExam,
  };
}

/**
 * The public responses of the API. Those of exams and years are each in a folder's index file, so that `neet` and
 * `neet/2024` can both be served from one tree.
 *
 * @throws Error when one does not conform to the API's schema
 */
export function* bankOutputs(
  exams: readonly CompiledExam[],
  bank: Pick<Bank, 'source' | 'report'> = {},
): Generator<Output> {
  yield publicOutput('ExamList', examListPath, examListPath, examList(exams, bank));
  for (const { resource, years } of exams) {
    const { exam } = resource;
    yield publicOutput('ExamYears', exam, `${exam}/index.json`, resource);
    for (const { resource: ofYear } of years) {
      const path = `${exam}/${ofYear.year}`;
      yield publicOutput('YearShifts', path, `${path}/index.json`, ofYear);
    }
  }
}

/** What a client needs to find the exams of the bank. */
export function examList(
  exams: readonly CompiledExam[],
  { source, report }: Pick<Bank, 'source' | 'report'> = {},
): ExamList {
  return {
    exams: exams.map(({ resource: { exam, label, years } }) => ({
      exam,
      label,
      years,
      url: `/${exam}`,
    })),
    source: inSchemaOrder('Source', source),
    report,
  };
}
