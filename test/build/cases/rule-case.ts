/**
 * Cases of a rule: content, and every diagnostic in it. Two brackets mark the place of a diagnostic in a text or file,
 * ⟦ and ⟧, or a place that is related to it, ⟪ and ⟫. Without marks, the place is the value that the pointer names.
 */

import { Source, type Span } from '../../../build/content/positions.ts';
import type { Question, SubjectFile } from '../../../build/content/written.ts';
import type { Bank } from '../../../build/release/config.ts';
import {
  examPath,
  type FileContent,
  type Files,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
  shiftPath,
} from '../bank-folder.ts';

/** The cases of rules, by the names of the rules. */
export type Cases = Readonly<Record<string, readonly RuleCase[]>>;

export interface RuleCase {
  readonly title: string;
  /** One question of the paper that all such cases of a rule share, or all files of the content folder. */
  readonly content: Question | Files;
  /** Changes the folder in other ways than writing files. */
  readonly make?: (dir: string) => Promise<unknown>;
  /** The configuration, if it is not the default. */
  readonly bank?: Partial<Bank>;
  /** In the order of the report. */
  readonly found: readonly Found[];
}

export interface Found extends FoundPlace {
  readonly suggestion?: string;
  readonly related?: readonly FoundPlace[];
}

export interface FoundPlace {
  readonly message: string;
  /** The physics paper by default. */
  readonly file?: string;
  /** In a case of one question: from the question on. The whole file by default. */
  readonly pointer?: string;
  /** The place is the name of the property that the pointer names. */
  readonly part?: 'name';
  /** `line:column-endLine:endColumn`, where it cannot be marked. */
  readonly at?: string;
}

export function accepts(what: string, content: Question | Files): RuleCase {
  return { title: `accepts ${what}`, content, found: [] };
}

export function rejects(
  what: string,
  content: Question | Files,
  ...found: readonly Found[]
): RuleCase {
  return { title: `rejects ${what}`, content, found };
}

/** Texts of a question that a rule accepts. */
export function acceptsTexts(...texts: readonly string[]): RuleCase[] {
  return texts.map((text) => accepts(shortJson(text), { ...sampleQuestions.mcq, question: text }));
}

/** A text of a question with one problem, in its marked part. */
export function rejectsText(text: string, message: string, suggestion?: string): RuleCase {
  const found = { pointer: '/question', message, ...(suggestion !== undefined && { suggestion }) };
  return rejects(shortJson(text), { ...sampleQuestions.mcq, question: text }, found);
}

function shortJson(text: string): string {
  const json = JSON.stringify(text);
  return json.length > 70 ? `${json.slice(0, 70)}...` : json;
}

/** A bank with this paper, and with other files. */
export function bankOf(paper: FileContent | SubjectFile, others: Files = {}): Files {
  return { [examPath]: sampleExam, [paperPath]: paper, ...others };
}

/** A bank with one question that lists diagrams, and these files in the folder of its diagrams. */
export function drawnBank(
  files: readonly string[],
  diagrams: Files,
  question: Partial<Question> = {},
): Files {
  const listed = files.map((file) => ({ file, alt: 'A ruler of 30 cm.' }));
  const placed = Object.entries(diagrams).map(([file, bytes]) => [
    `${shiftPath}/diagrams/${file}`,
    bytes,
  ]);
  return bankOf(
    paperOf({ ...sampleQuestions.mcq, diagrams: listed, ...question }),
    Object.fromEntries(placed),
  );
}

export const isQuestion = (content: RuleCase['content']): content is Question =>
  'options' in content;

const marks = /[⟦⟧⟪⟫]/g;

/** The content of a file without marks. */
export function unmarked(content: FileContent): FileContent {
  return content instanceof Uint8Array ? content : textOf(content).replace(marks, '');
}

/** Returns a function that returns places in files, as `line:column-endLine:endColumn`, each mark once. */
export function placer(files: Files): (place: FoundPlace, isRelated?: boolean) => string {
  const texts = Object.entries(files).map(([path, content]) => [path, textOf(content)] as const);
  const marked = new Map(
    texts.map(([path, text]) => [
      path,
      { found: marksIn(text, '⟦⟧'), related: marksIn(text, '⟪⟫') },
    ]),
  );
  return ({ file = paperPath, pointer = '', part, at }, isRelated = false) => {
    const content = files[file] ?? '';
    const text = textOf(content).replace(marks, '');
    const source = new Source(text);
    const range = source.valueRange(typeof content === 'string' ? '' : pointer, part);
    const value = source.span(range);
    const isWhole = typeof content === 'string' || pointer === '';
    const ofFile = marked.get(file)?.[isRelated ? 'related' : 'found'] ?? [];
    const next = ofFile.findIndex(
      ({ start, end }) => isWhole || (start >= value.start && end <= value.end),
    );
    const [mark] = next < 0 ? [] : ofFile.splice(next, 1);
    if (at !== undefined) return at;
    // Files without text have no places.
    if (!mark && !(file.endsWith('.json') && isJson(text))) return '1:1-1:1';
    const { line, column, endLine, endColumn } = mark
      ? source.range(mark.start, mark.end)
      : source.valueRange(pointer, part);
    return `${line}:${column}-${endLine}:${endColumn}`;
  };
}

function textOf(content: FileContent): string {
  if (content instanceof Uint8Array) return '';
  return typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`;
}

function marksIn(text: string, [open = '', close = '']: string): Span[] {
  const own = text.replace(marks, (mark) => (mark === open || mark === close ? mark : ''));
  let end = 0;
  return own.split(new RegExp(`[${open}${close}]`)).flatMap((piece, index) => {
    const start = end;
    end += piece.length;
    return index % 2 === 0 ? [] : { start, end };
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
