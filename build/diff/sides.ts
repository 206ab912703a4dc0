import { dirname } from 'node:path/posix';
import { inSchemaOrder } from '../compile/response.ts';
import { type FileBytes, jsonFile } from '../content/file.ts';
import { placeOf } from '../content/find.ts';
import {
  diagramsOf,
  fieldsOf,
  type LenientDiagram,
  lenientPaper,
  lenientQuestion,
  listOf,
  textOf,
} from '../content/question.ts';
import type { SchemaName } from '../release/schemas.ts';
import type { Row } from './report.ts';

/** One side of a comparison: the content that changed, and the papers whose diagrams did. */
export interface Snapshot {
  /** Subject files, translations, exam and shift files and unreadable diagrams by path. A missing path does not exist. */
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

/** A question, even if the file has other types in it than a question has. */
export type ComparedQuestion = Readonly<ReturnType<typeof comparedQuestion>>;
export type ComparedDiagram = ComparedQuestion['diagrams'][number];

/** Reads a subject file or translation leniently: also one with mistakes. @returns it, or why it cannot be compared */
function comparedPaper(path: string, file: FileValue) {
  if ('fault' in file) return file;
  const { questions, passages } = fieldsOf(file.value);
  if (!Array.isArray(questions)) return { fault: 'It has no list of questions.' };
  const paper = lenientPaper(file.value);
  const read = questions.map((question, index) => comparedQuestion(path, index, question));
  const named = [...paper.passages, ...paper.questions].flatMap((owner) => [
    ...diagramsOf<LenientDiagram>(owner),
  ]);
  return {
    ...paper,
    served: servedFields('QuestionFile', file.value),
    /** By their ids. */
    passages: new Map(
      listOf(passages).map((one) => [textOf(fieldsOf(one)['id']), servedFields('Passage', one)]),
    ),
    diagrams: named.map(({ file }) => diagramPath(path, file)),
    questions: read.filter(({ id }) => id !== ''),
    faults: read
      .filter(({ id }) => id === '')
      .map(({ index }) => `Question ${index + 1} has no id.`),
  };
}

/**
 * Returns each field that the API serves of a resource or a part of one, as a text to compare: the schema of the API
 * knows them all. An empty list is served like none.
 *
 * @param value in a content file, valid or not
 */
function servedFields(name: SchemaName, value: unknown): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [field, inner] of Object.entries(fieldsOf(inSchemaOrder(name, value)))) {
    const text = JSON.stringify(inner, (_, part) =>
      Array.isArray(part) && part.length === 0 ? undefined : part,
    );
    if (text !== undefined) fields.set(field, text);
  }
  return fields;
}

/** Reads what is served of an exam file. */
function comparedExam(value: unknown): ReadonlyMap<string, string> {
  const names = listOf(fieldsOf(value)['subjects']).map((subject) => {
    if (typeof subject !== 'object') return textOf(subject);
    const fields = fieldsOf(subject);
    return [textOf(fields['code']), textOf(fields['label'])];
  });
  return servedFields('ExamYears', value).set('subjects', JSON.stringify(names));
}

function diagramPath(path: string, file: string): string {
  return `${dirname(path)}/diagrams/${file}`;
}

/** @param index its place in the paper, from 0 */
function comparedQuestion(path: string, index: number, value: unknown) {
  const question = lenientQuestion(value);
  const diagrams = listOf(fieldsOf(value)['diagrams']).map((one, place) => {
    const { file = '', alt = '' } = question.diagrams[place] ?? {};
    // Without the question's id, so that a new id alone does not change the diagram.
    const name = file.replace(question.id, () => '');
    return {
      path: diagramPath(path, file),
      alt,
      served: servedFields('Diagram', one).set('file', name),
    };
  });
  return { ...question, served: servedFields('Question', value), path, index, diagrams };
}

/** The papers, translations and exams of one side, as far as they can be compared. */
export type ReadSide = ReturnType<typeof readSide>;

/** Reads one side leniently. Never throws. @param side the name of the side in the report */
export function readSide(side: string, { files }: Snapshot) {
  /** Of all papers and translations that exist, also of those that cannot be compared. */
  const paths = new Set<string>();
  const papers = new Map<string, ComparedPaper>();
  /** Of exam and shift files. */
  const details = new Map<string, ReadonlyMap<string, string>>();
  /** A row for each part that cannot be compared. */
  const incomparable: Row[] = [];
  for (const [path, file] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { kind } = placeOf(path);
    const doubt = (reason: string) => incomparable.push({ path, note: [`${side}: ${reason}`] });
    if (kind === 'exam' || kind === 'shift') {
      if ('fault' in file) doubt(file.fault);
      else if (kind === 'exam') details.set(path, comparedExam(file.value));
      else details.set(path, servedFields('ShiftSummary', file.value));
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
  return { paths, papers, questions, details, incomparable };
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
