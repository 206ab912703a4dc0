/**
 * Cases of a rule: content, and every diagnostic in it. Two brackets mark the place of a diagnostic in a text or file,
 * ⟦ and ⟧, or a place that is related to it, ⟪ and ⟫. Without marks, the place is the value that the pointer names.
 */

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

/** A part of a file: offsets in UTF-16 units. */
interface Span {
  readonly start: number;
  readonly end: number;
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
    const value =
      typeof content === 'string' ? { start: 0, end: text.length } : valueSpan(text, pointer, part);
    const ofFile = marked.get(file)?.[isRelated ? 'related' : 'found'] ?? [];
    const next = ofFile.findIndex(({ start, end }) => start >= value.start && end <= value.end);
    const [mark] = next < 0 ? [] : ofFile.splice(next, 1);
    if (at !== undefined) return at;
    // Files without text have no places.
    const isText = mark || (file.endsWith('.json') && parsed(text) !== undefined);
    const { start, end } = mark ?? (isText ? value : { start: 0, end: 0 });
    const last = mark || pointer !== '' ? end : text.trimEnd().length;
    return isText ? `${position(text, start)}-${position(text, last)}` : '1:1-1:1';
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

function position(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** Finds a value, or the name of a property, in JSON that `textOf` wrote: puts something else in its place. */
function valueSpan(text: string, pointer: string, part?: 'name'): Span {
  const value = parsed(text);
  if (pointer === '' || value === undefined) return { start: 0, end: text.length };
  const names = pointer.slice(1).split('/');
  const last = names.pop() ?? '';
  const parent = names.reduce<unknown>(
    (inner, name) => (inner as Record<string, unknown>)[name],
    value,
  );
  const stub = '\u{f0000}';
  (parent as Record<string, unknown>)[last] = stub;
  const [before = '', after = ''] = textOf(value as object).split(JSON.stringify(stub));
  if (part !== 'name') return { start: before.length, end: text.length - after.length };
  return { start: before.lastIndexOf(JSON.stringify(last)), end: before.length - ': '.length };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
