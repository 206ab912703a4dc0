import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { type JsonFile, readJsonFile } from '../content/file.ts';
import { Source } from '../content/positions.ts';
import type { PaperPlace, ShiftPlace } from '../content/types.ts';

/** A paper as far as its file can be read: what is missing or of the wrong type is left out. */
export interface ShownPaper {
  readonly lastUpdated: string | undefined;
  readonly questions: readonly ShownQuestion[];
}

export interface ShownQuestion {
  readonly id: string | undefined;
  readonly type: string | undefined;
  readonly text: string | undefined;
  readonly topic: string | undefined;
  readonly difficulty: string | undefined;
  readonly options: readonly ShownOption[];
  readonly answer: string | undefined;
  /** All answers that score; empty where only one does. */
  readonly accepted: readonly string[];
  readonly dropped: boolean;
  readonly diagrams: readonly ShownDiagram[];
}

export interface ShownOption {
  readonly key: string;
  readonly text: string;
  /** Whether the option is right, or is accepted beside the right one. */
  readonly mark: 'right' | 'accepted' | undefined;
}

export interface ShownDiagram {
  readonly file: string;
  readonly alt: string;
}

/** A subject file as far as it can be read. */
export interface ReadPaper extends ShownPaper {
  readonly source: Source;
  /** Whether the file is valid JSON. */
  readonly isJson: boolean;
}

/**
 * Reads a subject file, even if it is invalid: the rules report what is wrong with it.
 *
 * @param path inside the content folder
 */
export function readPaper(contentDir: string, path: string): ReadPaper {
  const file = readJsonFile(join(contentDir, path), path, 'paper');
  const isJson = file.state === 'parsed';
  const text = textOfFile(file);
  return { ...shownPaper(isJson ? file.value : parseTolerantly(text)), source: new Source(text), isJson };
}

function textOfFile(file: JsonFile): string {
  switch (file.state) {
    case 'unreadable':
      return '';
    case 'undecodable':
      return new TextDecoder('utf-8').decode(file.bytes);
    case 'unparsable':
    case 'parsed':
      return file.text;
  }
}

/** Parses JSON with syntax errors, such as a missing comma or quote, as far as possible. */
function parseTolerantly(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    // Nested deeper than the parser's stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @param value of a subject file, which may be invalid */
export function shownPaper(value: unknown): ShownPaper {
  const { lastUpdated, questions } = fieldsOf(value);
  return { lastUpdated: textOf(lastUpdated), questions: listOf(questions).map(shownQuestion) };
}

function shownQuestion(value: unknown): ShownQuestion {
  const fields = fieldsOf(value);
  const { type, options, dropped, diagrams } = fields;
  const answer = textOf(fields['answer']);
  const accepted = listOf(fields['accepted']).flatMap((one) => textOf(one) ?? []);
  return {
    id: textOf(fields['id']),
    type: textOf(type),
    text: textOf(fields['question']),
    topic: textOf(fields['topic']),
    difficulty: textOf(fields['difficulty']),
    options: listOf(options).map((option) => shownOption(option, answer, type === 'mcq' ? accepted : [])),
    answer,
    accepted,
    dropped: dropped === true,
    diagrams: listOf(diagrams).map((diagram) => {
      const { file, alt } = fieldsOf(diagram);
      return { file: textOf(file) ?? '', alt: textOf(alt) ?? '' };
    }),
  };
}

function shownOption(value: unknown, answer: string | undefined, accepted: readonly string[]): ShownOption {
  const fields = fieldsOf(value);
  const key = textOf(fields['key']) ?? '';
  const isRight = answer?.split(',').some((named) => named.trim() === key);
  const mark = isRight ? 'right' : accepted.includes(key) ? 'accepted' : undefined;
  return { key, text: textOf(fields['value']) ?? '', mark };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A number in place of a text is shown as text. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** The path of a paper's page: `/neet/2024/2024-05-05-s1/physics`. */
export function paperUrl({ exam, year, shift, subject }: PaperPlace): string {
  return urlOf(exam, year, shift, subject);
}

/**
 * The path of a diagram.
 *
 * @param version changes with the bytes of the file, so that browsers do not show an old one
 */
export function diagramUrl({ exam, year, shift }: ShiftPlace, file: string, version: string): string {
  return `${urlOf(exam, year, shift, 'diagrams', file)}?v=${version}`;
}

function urlOf(...names: readonly string[]): string {
  return names.map((name) => `/${encodeURIComponent(name)}`).join('');
}

/** The id of a question's element on the page of its paper. @param index in the file, from 0 */
export function questionId(index: number): string {
  return `question-${index + 1}`;
}

/** The index of the question that a JSON pointer points to or into; undefined if there is none. */
export function questionIndex(pointer: string): number | undefined {
  const [, index] = /^\/questions\/(\d+)(?:\/|$)/.exec(pointer) ?? [];
  return index === undefined ? undefined : Number(index);
}
