import type { CompiledExam, CompiledYear } from '../../compile/exams.ts';
import { compareTexts, groupBy } from '../../content/groups.ts';
import type { Question, ShiftSummary, Source } from '../../release/resources.ts';
import { subjectName } from '../text.ts';

/**
 * What the catalogue shows of an exam: counts, names of topics, and what the API's public endpoints serve. Pages are
 * made of this alone, so that they cannot reveal protected data such as the text, answer, id or topic of a question.
 */
export interface CatalogueExam {
  readonly code: string;
  readonly label: string;
  readonly source?: Source | undefined;
  /** In chronological order, like everything in the catalogue. */
  readonly years: readonly CatalogueYear[];
  /** Subjects with questions, in the order of the exam. */
  readonly subjects: readonly SubjectTally[];
}

/** A year and its shifts, in chronological order. */
export interface CatalogueYear {
  readonly year: number;
  readonly shifts: readonly CatalogueShift[];
}

export interface CatalogueShift extends ShiftSummary {
  /** The numbers of questions by subject. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Easiest first, then those that nobody has rated: the order of every chart and table. */
export const difficulties = [
  'easy',
  'medium',
  'hard',
  'unrated',
] as const satisfies readonly Question['difficulty'][];

/** The difficulties to show of these questions: `unrated` only where there are such. */
export function shownDifficulties(
  tallies: readonly NamedTally[],
): readonly Question['difficulty'][] {
  return difficulties.filter((each) => each !== 'unrated' || sumOf(tallies).unrated > 0);
}

/** Questions by difficulty. */
type Tally = Readonly<Record<Question['difficulty'], number>>;

/** The questions of a subject, topic or difficulty. */
export interface NamedTally {
  readonly name: string;
  readonly tally: Tally;
}

export interface SubjectTally extends NamedTally {
  /** As in URLs; the name is for display. */
  readonly code: string;
  /** Those with the most questions first. */
  readonly topics: readonly NamedTally[];
}

/** Counts the questions of a bank. Exams keep their order. */
export function catalogueOf(exams: readonly CompiledExam[]): CatalogueExam[] {
  return exams.map(({ resource, subjects, years }) => {
    return {
      code: resource.exam,
      label: resource.label,
      source: resource.source,
      years: years.toReversed().map(catalogueYear),
      subjects: subjectTallies(
        subjects.map((code) => ({ code, name: subjectName(resource, code) })),
        years.toReversed(),
      ),
    };
  });
}

function catalogueYear({ resource, shifts }: CompiledYear): CatalogueYear {
  const papers = new Map(shifts.map((shift) => [shift.shift, shift.papers]));
  return {
    year: resource.year,
    shifts: resource.shifts.map((summary) => ({
      ...summary,
      counts: new Map(
        papers.get(summary.shift)?.map(({ subject, total }) => [subject, total] as const),
      ),
    })),
  };
}

function subjectTallies(
  order: readonly { readonly code: string; readonly name: string }[],
  years: readonly CompiledYear[],
): SubjectTally[] {
  const found = years.flatMap(({ shifts }) =>
    shifts.flatMap(({ papers }) =>
      papers.flatMap(({ subject, topics }) =>
        topics.map(({ topic, counts }) => ({ subject, name: topic, tally: counts })),
      ),
    ),
  );
  const bySubject = groupBy(found, ({ subject }) => subject);
  return order.flatMap(({ code, name }) => {
    const topics = groupByName(bySubject.get(code) ?? []);
    return topics.length > 0 ? [{ code, name, tally: sumOf(topics), topics }] : [];
  });
}

/** The topic of questions without one. */
const noTopic = 'Unclassified';

/**
 * Adds up tallies of the same name, and sorts them: those with the most questions first, equal ones by name, and
 * questions without a topic last.
 */
function groupByName(tallies: readonly NamedTally[]): NamedTally[] {
  const groups = groupBy(tallies, ({ name }) => name);
  return Array.from(groups, ([name, ofName]) => ({ name, tally: sumOf(ofName) })).sort(
    (a, b) =>
      Number(a.name === noTopic) - Number(b.name === noTopic) ||
      totalOf(b.tally) - totalOf(a.tally) ||
      compareTexts(a.name.toLowerCase(), b.name.toLowerCase()) ||
      compareTexts(a.name, b.name),
  );
}

/** Adds up tallies. */
export function sumOf(tallies: readonly NamedTally[]): Tally {
  const sum = { easy: 0, medium: 0, hard: 0, unrated: 0 };
  for (const { tally } of tallies) {
    for (const difficulty of difficulties) sum[difficulty] += tally[difficulty];
  }
  return sum;
}

/** All questions of a tally. */
export function totalOf({ easy, medium, hard, unrated }: Tally): number {
  return easy + medium + hard + unrated;
}

/** All shifts of these exams. */
export function shiftsOf(exams: readonly CatalogueExam[]): CatalogueShift[] {
  return exams.flatMap(({ years }) => years.flatMap(({ shifts }) => shifts));
}

/** All questions of these shifts. */
export function questionsIn(shifts: readonly CatalogueShift[]): number {
  return shifts.reduce((sum, { total }) => sum + total, 0);
}
