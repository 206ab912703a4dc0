import type { Bank, DiagramFile, Paper } from '../read/bank.ts';
import type { ExamFile } from '../read/content.ts';
import { shiftAliases } from './aliases.ts';
import { questionFile } from './question-file.ts';
import type { ExamYears, QuestionFile, YearShifts } from './resources.ts';
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
  /** In chronological order. */
  readonly shifts: readonly CompiledShift[];
}

export interface CompiledShift {
  readonly shift: string;
  readonly files: readonly QuestionFile[];
  /** Those that a question names. */
  readonly diagrams: readonly DiagramFile[];
}

/**
 * Turns a bank that passed its checks into the resources of the API: every answer, and what a request
 * needs to find it. Exams come in the order of their codes.
 */
export function compileBank({ exams, papers, diagrams }: Bank): CompiledExam[] {
  const papersByExam = groupBy(papers, ({ exam }) => exam);
  const diagramsByShift = groupBy(diagrams, ({ exam, shift }) => `${exam}/${shift}`);
  return [...exams]
    .sort((a, b) => (a.code < b.code ? -1 : 1))
    .map(({ code, content }) => {
      if (!content) throw new Error(`The checks let ${code}/exam.json pass, which broke its schema.`);
      return compileExam(code, content, papersByExam.get(code) ?? [], diagramsByShift);
    });
}

function compileExam(
  code: string,
  { label, subjects }: ExamFile,
  papers: readonly Paper[],
  diagrams: ReadonlyMap<string, readonly DiagramFile[]>,
): CompiledExam {
  const ordered = [...papers].sort((a, b) => subjects.indexOf(a.subject) - subjects.indexOf(b.subject));
  const years = [...groupBy(ordered, ({ year }) => year)]
    .sort(([a], [b]) => Number(b) - Number(a))
    .map(([year, ofYear]) => compileYear(code, Number(year), ofYear, diagrams));
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
  papers: readonly Paper[],
  diagrams: ReadonlyMap<string, readonly DiagramFile[]>,
): CompiledYear {
  const shifts = [...groupBy(papers, ({ shift }) => shift)]
    .sort(([a], [b]) => compareShifts(a, b))
    .map(([shift, ofShift]) => compileShift(shift, ofShift, diagrams.get(`${exam}/${shift}`) ?? []));
  return {
    resource: yearShifts(
      exam,
      year,
      shifts.map(({ files }) => files),
    ),
    aliases: shiftAliases(shifts.map(({ shift }) => shift)),
    shifts,
  };
}

function compileShift(
  shift: string,
  papers: readonly Paper[],
  diagrams: readonly DiagramFile[],
): CompiledShift {
  const byName = new Map(diagrams.map((diagram) => [diagram.file, diagram]));
  const files = papers.map((paper) => {
    if (!paper.content) throw new Error(`The checks let ${paper.path} pass, which broke its schema.`);
    return questionFile(paper, paper.content, byName);
  });
  const named = new Set(
    files
      .flatMap(({ questions }) => questions.flatMap((question) => question.diagrams))
      .map(({ file }) => file),
  );
  return { shift, files, diagrams: diagrams.filter(({ file }) => named.has(file)) };
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
