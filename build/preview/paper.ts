import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { type JsonFile, readJsonFile } from '../content/file.ts';
import { Source } from '../content/positions.ts';

/** A paper as far as its file can be read: what is missing or of another kind is left out, and nothing is refused. */
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
  /** Whether choosing it is right, or is accepted beside what is right. */
  readonly mark: 'right' | 'accepted' | undefined;
}

export interface ShownDiagram {
  readonly file: string;
  readonly alt: string;
}

/** @param value of a subject file, or of what a parser made of a broken one */
export function shownPaper(value: unknown): ShownPaper {
  const { lastUpdated, questions } = fieldsOf(value);
  return { lastUpdated: textOf(lastUpdated), questions: listOf(questions).map(shownQuestion) };
}

function shownQuestion(value: unknown): ShownQuestion {
  const { id, type, question, topic, difficulty, options, answer, accepted, dropped, diagrams } =
    fieldsOf(value);
  const key = textOf(answer);
  const scoring = listOf(accepted).flatMap((one) => textOf(one) ?? []);
  return {
    id: textOf(id),
    type: textOf(type),
    text: textOf(question),
    topic: textOf(topic),
    difficulty: textOf(difficulty),
    options: listOf(options).map((option) => shownOption(option, key, type === 'mcq' ? scoring : [])),
    answer: key,
    accepted: scoring,
    dropped: dropped === true,
    diagrams: listOf(diagrams).map(shownDiagram),
  };
}

function shownOption(value: unknown, answer: string | undefined, accepted: readonly string[]): ShownOption {
  const fields = fieldsOf(value);
  const key = textOf(fields['key']) ?? '';
  return { key, text: textOf(fields['value']) ?? '', mark: markOf(key, answer, accepted) };
}

function markOf(key: string, answer: string | undefined, accepted: readonly string[]): ShownOption['mark'] {
  if (answer?.split(',').some((named) => named.trim() === key)) return 'right';
  return accepted.includes(key) ? 'accepted' : undefined;
}

function shownDiagram(value: unknown): ShownDiagram {
  const { file, alt } = fieldsOf(value);
  return { file: textOf(file) ?? '', alt: textOf(alt) ?? '' };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A number that should be a text is shown as what it says. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** A subject file as far as it can be read, and the text in which its questions stand. */
export interface ReadPaper {
  readonly paper: ShownPaper;
  readonly source: Source;
  /** Whether it is JSON; of a file that is not, what the parser makes of it is shown. */
  readonly isJson: boolean;
}

/**
 * Reads a subject file. What is wrong with it is the rules' to tell; nothing is thrown.
 *
 * @param path inside the content folder
 */
export function readPaper(contentDir: string, path: string): ReadPaper {
  const file = readJsonFile(join(contentDir, path), path, 'paper');
  const isJson = file.state === 'parsed';
  const text = textOfFile(file);
  return { paper: shownPaper(isJson ? file.value : guessed(text)), source: new Source(text), isJson };
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

/** What a text seems to say that is no JSON: a comma or a quote may be missing. */
function guessed(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    // Nested deeper than the parser's stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
