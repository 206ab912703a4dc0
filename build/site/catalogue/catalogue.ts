import type { CompiledExam, CompiledShift, CompiledYear } from '../../compile/compile.ts';
import type { QuestionFile, ServedQuestion, ShiftSummary } from '../../compile/resources.ts';
import { sumOf, type Tally, tallyOf, totalOf } from './tally.ts';

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
      years.flatMap(({ shifts }) => shifts.flatMap(({ files }) => files)),
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

function catalogueShift(summary: ShiftSummary, { files }: CompiledShift): CatalogueShift {
  const [first] = files;
  if (!first) throw new RangeError('A shift has at least one question file.');
  return {
    ...summary,
    date: first.metadata.examDate,
    counts: new Map(files.map(({ subject, total }) => [subject, total])),
  };
}

function subjectTallies(order: readonly string[], files: readonly QuestionFile[]): SubjectTally[] {
  return order.flatMap((name) => {
    const questions = files.filter(({ subject }) => subject === name).flatMap((file) => file.questions);
    if (questions.length === 0) return [];
    const topics = topicTallies(questions);
    return [{ name, tally: sumOf(topics.map(({ tally }) => tally)), topics }];
  });
}

function topicTallies(questions: readonly ServedQuestion[]): TopicTally[] {
  const found = new Map<string, ServedQuestion['difficulty'][]>();
  for (const { topic, difficulty } of questions) {
    const ofTopic = found.get(topic);
    if (ofTopic) ofTopic.push(difficulty);
    else found.set(topic, [difficulty]);
  }
  const tallies = [...found].map(([name, ofTopic]) => ({ name, tally: tallyOf(ofTopic) }));
  return mostFirst(tallies);
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
