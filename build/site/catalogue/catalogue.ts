import type { CompiledPaper, CompiledShift } from '../../compile/compile-shift.ts';
import { type CompiledExam, type CompiledYear, parseShift } from '../../compile/exams.ts';
import type { Difficulty, ShiftSummary } from '../../release/resources.ts';

/**
 * What the catalogue tells of an exam. Whatever a page shows comes through here, so that no page can show
 * more: beside what the API answers without a key, there are only counts and the names of topics. What a
 * single question asks, how it is answered, what it is called and which topic it has stays behind the key.
 */
export interface CatalogueExam {
  readonly code: string;
  readonly label: string;
  /** Newest first. */
  readonly years: readonly CatalogueYear[];
  /** Those with questions, in the order of the exam. */
  readonly subjects: readonly SubjectTally[];
}

export interface CatalogueYear {
  readonly year: number;
  /** In chronological order. */
  readonly shifts: readonly CatalogueShift[];
}

export interface CatalogueShift extends ShiftSummary {
  /** The day of the exam, `YYYY-MM-DD`. */
  readonly date: string;
  /** Questions by subject. */
  readonly counts: ReadonlyMap<string, number>;
}

export interface SubjectTally {
  readonly name: string;
  readonly tally: Tally;
  /** Those with the most questions first. */
  readonly topics: readonly TopicTally[];
}

export interface TopicTally {
  readonly name: string;
  readonly tally: Tally;
}

/** Counts a bank. Exams keep their order. */
export function catalogueOf(exams: readonly CompiledExam[]): CatalogueExam[] {
  return exams.map(({ resource, subjects, years }) => ({
    code: resource.exam,
    label: resource.label,
    years: years.map(catalogueYear),
    subjects: subjectTallies(
      subjects,
      years.flatMap(({ shifts }) => shifts.flatMap(({ papers }) => papers)),
    ),
  }));
}

function catalogueYear({ resource, shifts }: CompiledYear): CatalogueYear {
  const found = new Map(shifts.map((shift) => [shift.shift, shift]));
  return {
    year: resource.year,
    shifts: resource.shifts.map((summary) => {
      const shift = found.get(summary.shift);
      if (!shift) throw new Error(`${summary.shift} was summed up, and not compiled.`);
      return catalogueShift(summary, shift);
    }),
  };
}

function catalogueShift(summary: ShiftSummary, { papers }: CompiledShift): CatalogueShift {
  return {
    ...summary,
    date: parseShift(summary.shift).date,
    counts: new Map(papers.map(({ subject, total }) => [subject, total])),
  };
}

function subjectTallies(order: readonly string[], papers: readonly CompiledPaper[]): SubjectTally[] {
  return order.flatMap((name) => {
    const topics = topicTallies(papers.filter(({ subject }) => subject === name));
    return topics.length > 0 ? [{ name, tally: sumOf(topics.map(({ tally }) => tally)), topics }] : [];
  });
}

function topicTallies(papers: readonly CompiledPaper[]): TopicTally[] {
  const found = new Map<string, Tally>();
  for (const { topics } of papers) {
    for (const { topic, counts } of topics) {
      const known = found.get(topic);
      found.set(topic, known ? sumOf([known, counts]) : counts);
    }
  }
  return mostFirst([...found].map(([name, tally]) => ({ name, tally })));
}

/** Those with the most questions first; of as many, by name, in an order that is the same everywhere. */
export function mostFirst<Row extends { readonly name: string; readonly tally: Tally }>(
  rows: readonly Row[],
): Row[] {
  return [...rows].sort(
    (a, b) =>
      totalOf(b.tally) - totalOf(a.tally) ||
      compare(a.name.toLowerCase(), b.name.toLowerCase()) ||
      compare(a.name, b.name),
  );
}

/** By code units: what a language would do with them depends on the machine. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Easiest first: the order of every chart and table. */
export const difficulties = ['easy', 'medium', 'hard'] as const satisfies readonly Difficulty[];

/** How many questions there are of each difficulty. */
export type Tally = Readonly<Record<Difficulty, number>>;

/** All these tallies as one. */
export function sumOf(tallies: Iterable<Tally>): Tally {
  const sum = { easy: 0, medium: 0, hard: 0 };
  for (const tally of tallies) {
    for (const difficulty of difficulties) sum[difficulty] += tally[difficulty];
  }
  return sum;
}

/** All questions of a tally. */
export function totalOf(tally: Tally): number {
  return difficulties.reduce((total, difficulty) => total + tally[difficulty], 0);
}

/** All shifts of these exams. */
export function shiftsOf(exams: readonly CatalogueExam[]): CatalogueShift[] {
  return exams.flatMap(({ years }) => years.flatMap(({ shifts }) => shifts));
}

/** How many questions they have together. */
export function questionsIn(shifts: readonly CatalogueShift[]): number {
  return shifts.reduce((sum, { total }) => sum + total, 0);
}

/** The newest day on which one of them was updated, `YYYY-MM-DD`; empty of none. */
export function newestOf(shifts: readonly CatalogueShift[]): string {
  return shifts.reduce((newest, { lastUpdated }) => (lastUpdated > newest ? lastUpdated : newest), '');
}

/** A name of the content as a heading says it: `general-knowledge` is "General knowledge". */
export function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Years by their first and their last: `2023–2025`. */
export function spanOf(years: readonly number[]): string {
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return first === last ? String(first) : `${first}–${last}`;
}
