import { placeOf } from '../content/find.ts';
import type { FileValue } from './snapshot.ts';

/** A subject file as it is compared: what a release serves of it, whatever a schema says of the rest. */
export interface ComparedPaper {
  readonly path: string;
  readonly lastUpdated: string;
  readonly questions: readonly ComparedQuestion[];
  /** Sentences on what of it cannot be compared. */
  readonly faults: readonly string[];
}

/** A question whose fields are texts, also where the file holds something else in their place. */
export interface ComparedQuestion {
  readonly id: string;
  readonly path: string;
  /** Its place in the paper, from 0. */
  readonly index: number;
  readonly type: string;
  readonly question: string;
  readonly options: readonly { readonly key: string; readonly value: string }[];
  readonly answer: string;
  readonly topic: string;
  readonly difficulty: string;
  readonly diagrams: readonly ComparedDiagram[];
  readonly accepted: readonly string[];
  readonly dropped: boolean;
}

export interface ComparedDiagram {
  readonly path: string;
  /** The file's name without the question's id, which it contains: another id alone makes no other diagram. */
  readonly name: string;
  readonly alt: string;
}

/**
 * Reads a subject file as far as it goes: a question with a mistake, or of an older schema, is still
 * compared.
 *
 * @returns the paper, or a sentence on why there is nothing to compare; nothing is thrown
 */
export function comparedPaper(path: string, file: FileValue): ComparedPaper | { readonly fault: string } {
  if ('fault' in file) return file;
  const { questions, lastUpdated } = fieldsOf(file.value);
  if (!Array.isArray(questions)) return { fault: 'It has no list of questions.' };
  const read: ComparedQuestion[] = [];
  const faults: string[] = [];
  for (const [index, value] of questions.entries()) {
    const question = comparedQuestion(path, index, fieldsOf(value));
    if (question) read.push(question);
    else faults.push(`Question ${index + 1} has no id.`);
  }
  return { path, lastUpdated: textOf(lastUpdated), questions: read, faults };
}

/** What an exam file tells, as a text to be compared, or a sentence on why there is nothing to compare. */
export function comparedExam(file: FileValue): string | { readonly fault: string } {
  if ('fault' in file) return file;
  const { label, subjects } = fieldsOf(file.value);
  return JSON.stringify([textOf(label), ...textsOf(subjects)]);
}

type Fields = Readonly<Record<string, unknown>>;

function comparedQuestion(path: string, index: number, fields: Fields): ComparedQuestion | undefined {
  const { id } = fields;
  if (typeof id !== 'string' || id === '') return undefined;
  return {
    id,
    path,
    index,
    type: textOf(fields['type']),
    question: textOf(fields['question']),
    options: listOf(fields['options']).map(({ key, value }) => ({ key: textOf(key), value: textOf(value) })),
    answer: textOf(fields['answer']),
    topic: textOf(fields['topic']),
    difficulty: textOf(fields['difficulty']),
    diagrams: listOf(fields['diagrams']).map(({ file, alt }) => comparedDiagram(path, id, textOf(file), alt)),
    accepted: textsOf(fields['accepted']),
    dropped: fields['dropped'] === true,
  };
}

function comparedDiagram(paper: string, id: string, file: string, alt: unknown): ComparedDiagram {
  const place = placeOf(paper);
  if (place.kind !== 'paper') throw new TypeError(`${paper} is no place of a subject file`);
  const { exam, year, shift } = place;
  return {
    path: `${exam}/${year}/${shift}/diagrams/${file}`,
    name: file.replace(id, () => ''),
    alt: textOf(alt),
  };
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

/** A text, or what stands in its place; a list or an object there is not looked into, however deep it goes. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return value === undefined ? '' : String(value);
}
