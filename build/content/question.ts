/** The texts of questions and the formulas in them, their diagrams and passages. */
import type { JsonFile } from './file.ts';
import type { Diagram, Option, Passage, Question } from './written.ts';

/**
 * A paper with the passages of other papers of its shift that its questions name as `<subject>/<id>`, each once and under
 * that name. It is as new as the newest of these papers.
 *
 * @param questions of the original, if the paper is a translation
 * @param paperOf the paper of a subject; of a translation, in its language
 */
export function withSharedPassages<
  Paper extends {
    readonly lastUpdated: string;
    readonly passages?: readonly { readonly id: string }[] | undefined;
  },
>(
  paper: Paper,
  questions: readonly Pick<Question, 'passage'>[],
  paperOf: (subject: string) => Paper | undefined,
): Paper {
  const named = new Set(
    questions.flatMap(({ passage }) => (passage?.includes('/') ? passage : [])),
  );
  let { lastUpdated, passages = [] } = paper;
  for (const id of named) {
    const [subject = '', idThere] = id.split('/');
    const other = paperOf(subject);
    const passage = other?.passages?.find((one) => one.id === idThere);
    if (!other || !passage) continue;
    passages = [...passages, { ...passage, id }];
    if (Date.parse(lastUpdated) < Date.parse(other.lastUpdated)) lastUpdated = other.lastUpdated;
  }
  return named.size === 0 ? paper : { ...paper, lastUpdated, passages };
}

/** A question or passage. */
export interface Drawn<Named> {
  readonly diagrams?: readonly Named[] | undefined;
  readonly options?: readonly { readonly diagram?: Named | undefined }[] | undefined;
}

/** The diagrams of a question and of its options, with the pointers to them from the question. */
export function* diagramsOf<Named extends Diagram>(
  owner: Drawn<Named>,
): Generator<Named & { readonly at: string }> {
  const { diagrams = [], options = [] } = owner;
  for (const [index, diagram] of diagrams.entries()) yield { ...diagram, at: `/diagrams/${index}` };
  for (const [index, { diagram }] of options.entries())
    if (diagram) yield { ...diagram, at: `/options/${index}/diagram` };
}

/** Whether a question or one of its options names a diagram. A plain loop, since most questions have none. */
export function hasDiagrams({
  diagrams,
  options,
}: Pick<Question, 'diagrams' | 'options'>): boolean {
  if (diagrams) return true;
  for (let index = 0; index < options.length; index += 1) if (options[index]?.diagram) return true;
  return false;
}

/** The properties of an object; none of any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The items of a list; none of any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a question or passage, or of a translation of one, that readers see. */
type Texts = {
  readonly [Field in 'number' | 'section' | 'question' | 'topic' | 'solution' | 'diagrams']?:
    | Question[Field]
    | undefined;
} & {
  readonly text?: Passage['text'] | undefined;
  readonly options?: readonly Partial<Option>[] | undefined;
};

export interface PlacedTexts {
  readonly texts: Texts;
  /** JSON pointer (RFC 6901) to the question or passage in its file. */
  readonly pointer: string;
}

/** A subject file with more questions is not a paper. */
const mostQuestions = 100_000;

/** The texts of a subject file that breaks its schema: a mistake elsewhere does not hide mistakes in them. */
export function textsOfWrongFile(file: JsonFile): PlacedTexts[] {
  if (file.state !== 'parsed') return [];
  const lists = ['passages', 'questions'].map(
    (name) => [name, listOf(fieldsOf(file.value)[name])] as const,
  );
  if (lists.reduce((sum, [, list]) => sum + list.length, 0) > mostQuestions) return [];
  return lists.flatMap(([name, list]) =>
    list.map((value, index) => {
      const fields = fieldsOf(value);
      const diagrams = listOf(fields['diagrams']).map((diagram): Diagram => {
        const { file } = fieldsOf(diagram);
        return { ...fieldsOf(diagram), file: String(file) };
      });
      const options = listOf(fields['options']).map(fieldsOf);
      return { texts: { ...fields, diagrams, options }, pointer: `/${name}/${index}` };
    }),
  );
}

/**
 * Calls for each text of a question or passage that readers see, with the JSON pointer to it from there. The pointer is
 * computed only when it is asked for: a bank has millions of texts and few problems. Only the longer texts have Markdown.
 * What is no text is left out: the file may break its schema.
 */
export function visitTexts(
  { number, section, text, question, options, solution, topic, diagrams }: Texts,
  visit: (text: string, pointer: () => string, hasMarkdown: boolean) => void,
): void {
  if (typeof number === 'string') visit(number, () => '/number', false);
  if (typeof section === 'string') visit(section, () => '/section', false);
  if (typeof text === 'string') visit(text, () => '/text', true);
  if (typeof question === 'string') visit(question, () => '/question', true);
  if (options)
    for (let index = 0; index < options.length; index += 1) {
      const { label, value, diagram } = options[index] ?? {};
      if (typeof label === 'string') visit(label, () => `/options/${index}/label`, false);
      if (typeof value === 'string') visit(value, () => `/options/${index}/value`, true);
      if (typeof diagram?.alt === 'string')
        visit(diagram.alt, () => `/options/${index}/diagram/alt`, false);
    }
  if (typeof solution === 'string') visit(solution, () => '/solution', true);
  if (typeof topic === 'string') visit(topic, () => '/topic', false);
  if (!diagrams) return;
  for (const [index, { alt }] of diagrams.entries())
    if (typeof alt === 'string') visit(alt, () => `/diagrams/${index}/alt`, false);
}

const dollar = 0x24;
export const backslash = 0x5c;

/**
 * Calls for each formula of a text, with the offsets of its dollars.
 *
 * @returns the offset of the first backslash or unclosed dollar outside the formulas; -1 when there is none
 */
export function visitFormulas(text: string, visit: (start: number, end: number) => void): number {
  let loose = -1;
  let end = 0;
  let slash = text.indexOf('\\');
  let at = nextDollar(text, 0);
  while (at >= 0) {
    if (slash >= 0 && slash < end) slash = text.indexOf('\\', end);
    if (loose < 0 && slash >= 0 && slash < at) loose = slash;
    const display = text.charCodeAt(at + 1) === dollar;
    const close = display ? nextDollars(text, at + 2) : nextDollar(text, at + 1);
    if (close < 0) return loose < 0 ? at : loose;
    end = close + (display ? 2 : 1);
    visit(at, end);
    at = nextDollar(text, end);
  }
  if (loose >= 0 || slash < 0 || slash >= end) return loose < 0 ? slash : loose;
  return text.indexOf('\\', end);
}

/** The offset of the next dollar that may be a delimiter; -1 when there is none. */
export function nextDollar(text: string, from: number): number {
  let at = text.indexOf('$', from);
  while (at > 0 && isEscaped(text, at, from)) at = text.indexOf('$', at + 1);
  return at;
}

function nextDollars(text: string, from: number): number {
  let at = nextDollar(text, from);
  while (at >= 0 && text.charCodeAt(at + 1) !== dollar) at = nextDollar(text, at + 1);
  return at;
}

/** Whether an odd number of backslashes comes before it. */
function isEscaped(text: string, at: number, from: number): boolean {
  let before = at - 1;
  while (before >= from && text.charCodeAt(before) === backslash) before -= 1;
  return (at - 1 - before) % 2 === 1;
}

/**
 * A 53-bit hash of a stretch of a text, made without a copy of it: two multiplicative hashes over two UTF-16 units at a
 * time. Equal texts have equal hashes; different texts hardly ever do. It is no protection against deliberate collisions.
 */
export function textHash(text: string, start = 0, end = text.length): number {
  let high = 0x9e3779b9;
  let low = 0x7f4a7c15 ^ (end - start);
  for (let at = start; at < end; at += 2) {
    const units = text.charCodeAt(at) | (at + 1 < end ? text.charCodeAt(at + 1) << 16 : 0);
    high = Math.imul(high ^ units, 0x85ebca6b);
    high ^= high >>> 15;
    low = Math.imul(low ^ units, 0x5bd1e995);
    low ^= low >>> 13;
  }
  return joinedHash(high, low);
}

/**
 * The hash of what makes a question the same as another one: its text, in which line breaks and repeated spaces do not
 * count, and its options in any order. Of an option, its first characters are enough: questions with the same hash are
 * compared.
 */
export function questionHash({ question, options }: ComparedTexts): number {
  let sum = textHash(withSingleSpaces(question)) % exactSum;
  for (const { value = '' } of options)
    sum += textHash(value, 0, Math.min(value.length, hashedStart)) % exactSum;
  return sum;
}

/** The hash of the options and the answer of a question, in any order; NaN without options, or with one that is only a diagram. */
export function variantHash({
  options,
  answer = '',
}: Pick<Question, 'options' | 'answer'>): number {
  if (options.length === 0) return Number.NaN;
  const keys = answer.split(',');
  let sum = 0;
  for (const { key, value = '', diagram } of options) {
    if (value === '' || diagram) return Number.NaN;
    const sign = keys.includes(key) ? '+' : '-';
    sum += textHash(sign + withSingleSpaces(value)) % exactSum;
  }
  return sum;
}

/** UTF-16 units. */
const hashedStart = 12;

interface ComparedTexts extends Pick<Question, 'question'> {
  readonly options: readonly {
    readonly value?: string | undefined;
    readonly diagram?: Diagram | undefined;
  }[];
}

/** The sum of 32 smaller numbers is exact in any order: a question has at most 26 options. */
const exactSum = 2 ** 48;

/** What two questions with the same hash are compared by. */
export function questionTexts({ question, options }: ComparedTexts): string[] {
  const shown = options.map(
    ({ value = '', diagram }) => `${value}${diagram ? `\n${diagram.file}` : ''}`,
  );
  return [withSingleSpaces(question), ...shown.sort()];
}

/** A text with single spaces. Most texts have no others and are returned as they are. */
function withSingleSpaces(text: string): string {
  return text.includes('\n') || text.includes('  ') ? text.replace(/\s+/g, ' ').trim() : text;
}

/** The 53 bits of two 32-bit hashes that a number can hold. */
export function joinedHash(high: number, low: number): number {
  return mixed(high ^ low) * 2 ** 21 + (mixed(low) >>> 11);
}

/** Spreads the last units over all bits. */
function mixed(word: number): number {
  let bits = word;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
