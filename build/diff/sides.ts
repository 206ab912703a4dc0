import { dirname } from 'node:path/posix';
import { type FileBytes, jsonFile } from '../content/file.ts';
import { placeOf } from '../content/find.ts';
import {
  diagramsOf,
  fieldsOf,
  type LenientDiagram,
  type LenientQuestion,
  lenientPaper,
  listOf,
  textOf,
} from '../content/question.ts';
import type { Row } from './report.ts';

/** One side of a comparison: the content that changed, and the papers whose diagrams did. */
export interface Snapshot {
  /** Subject files, translations, exam files and unreadable diagrams by path. A missing path does not exist. */
  readonly files: ReadonlyMap<string, FileValue>;
  /** SHA-256 of each changed diagram, by path. */
  readonly diagrams: ReadonlyMap<string, string>;
}

/** The value of a JSON file, or a sentence on why it cannot be read. */
export type FileValue = { readonly value: unknown } | { readonly fault: string };

const faults = { undecodable: 'It is not UTF-8.', unparsable: 'It is not valid JSON.' };

/** Parses the bytes of a JSON file. Never throws. */
export function parseFile(path: string, bytes: FileBytes): FileValue {
  const file = jsonFile(bytes, path, 'paper');
  if (file.state === 'parsed') return { value: file.value };
  return { fault: file.state === 'unreadable' ? file.fault : faults[file.state] };
}

/** The served part of a subject file or translation, valid or not. */
export type ComparedPaper = Exclude<ReturnType<typeof comparedPaper>, { readonly fault: string }>;

/** A question with every field as text, even if the file has another type there. */
export type ComparedQuestion = Readonly<ReturnType<typeof comparedQuestion>>;
export type ComparedDiagram = ComparedQuestion['diagrams'][number];

/** Reads a subject file or translation leniently: also one with mistakes. @returns it, or why it cannot be compared */
function comparedPaper(path: string, file: FileValue) {
  if ('fault' in file) return file;
  if (!Array.isArray(fieldsOf(file.value)['questions']))
    return { fault: 'It has no list of questions.' };
  const paper = lenientPaper(file.value);
  const read = paper.questions.map((question, index) => comparedQuestion(path, index, question));
  const named = [...paper.passages, ...paper.questions].flatMap((owner) => [
    ...diagramsOf<LenientDiagram>(owner),
  ]);
  return {
    ...paper,
    diagrams: named.map(({ file }) => diagramPath(path, file)),
    questions: read.filter(({ id }) => id !== ''),
    faults: read
      .filter(({ id }) => id === '')
      .map(({ index }) => `Question ${index + 1} has no id.`),
  };
}

/** Reads an exam file as a text to compare, or returns a sentence on why there is nothing to compare. */
function comparedExam(file: FileValue): string | { readonly fault: string } {
  if ('fault' in file) return file;
  const { label, subjects } = fieldsOf(file.value);
  const names = listOf(subjects).map((subject) => {
    if (typeof subject !== 'object') return textOf(subject);
    const fields = fieldsOf(subject);
    return [textOf(fields['code']), textOf(fields['label'])];
  });
  return JSON.stringify([textOf(label), ...names]);
}

function diagramPath(path: string, file: string): string {
  return `${dirname(path)}/diagrams/${file}`;
}

/** @param index its place in the paper, from 0 */
function comparedQuestion(path: string, index: number, question: LenientQuestion) {
  const diagrams = question.diagrams.map(({ file, alt }) => ({
    path: diagramPath(path, file),
    alt,
    // Without the question's id, so that a new id alone does not change the diagram.
    name: file.replace(question.id, () => ''),
  }));
  return { ...question, path, index, diagrams };
}

/** The papers, translations and exams of one side, as far as they can be compared. */
export type ReadSide = ReturnType<typeof readSide>;

/** Reads one side leniently. Never throws. @param side the name of the side in the report */
export function readSide(side: string, { files }: Snapshot) {
  /** Of all papers and translations that exist, also of those that cannot be compared. */
  const paths = new Set<string>();
  const papers = new Map<string, ComparedPaper>();
  const exams = new Map<string, string>();
  /** A row for each part that cannot be compared. */
  const incomparable: Row[] = [];
  for (const [path, file] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { kind } = placeOf(path);
    const doubt = (reason: string) => incomparable.push({ path, note: [`${side}: ${reason}`] });
    if (kind === 'exam') {
      const exam = comparedExam(file);
      if (typeof exam === 'string') exams.set(path, exam);
      else doubt(exam.fault);
    } else if (kind === 'paper' || kind === 'translation') {
      paths.add(path);
      const paper = comparedPaper(path, file);
      if ('fault' in paper) {
        doubt(paper.fault);
        continue;
      }
      papers.set(path, paper);
      paper.faults.forEach(doubt);
      if (sortableTime(paper.lastUpdated) === undefined)
        doubt('Its lastUpdated is not a time like 2024-06-01T10:00:00Z.');
    } else if ('fault' in file) doubt(file.fault);
  }
  const questions = [...papers].flatMap(([path, paper]) =>
    isTranslation(path) ? [] : paper.questions,
  );
  return { paths, papers, questions, exams, incomparable };
}

/** @param path of a paper or translation */
export function isTranslation(path: string): boolean {
  return placeOf(path).kind === 'translation';
}

/**
 * Returns a text whose order is that of time, to the last digit of a second.
 *
 * @param text ISO 8601 in UTC, as the schema requires of `lastUpdated`
 * @returns undefined for an invalid time
 */
export function sortableTime(text: string): string | undefined {
  const [, seconds, fraction = ''] =
    /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:[0-5]\d)(?:\.(\d{1,9}))?Z$/.exec(text) ?? [];
  return Number.isNaN(Date.parse(text))
    ? undefined
    : seconds && `${seconds}.${fraction.padEnd(9, '0')}`;
}
