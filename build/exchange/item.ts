/** What the formats have in common: items as read, and questions made of them. */
import { bounds } from '../content/bounds.ts';
import { readImage } from '../content/image.ts';
import type { DiagramReference, Option, PaperPlace, Question, SubjectFile } from '../content/types.ts';
import type { Marking, QuestionType } from '../release/resources.ts';
import { UserError } from '../release/user-error.ts';
import { textOf } from './html.ts';
import type { Node } from './tree.ts';

/** A text of the content format, or HTML, which is parsed when it is needed. */
export type Markup = string | (() => readonly Node[]);

/** A question as a file of another format has it. */
export interface Item {
  /** For the report. */
  readonly name: string;
  /** Its type in that format: a key of `types`, or one that is not imported. */
  readonly type: string;
  readonly text: Markup;
  readonly options?: readonly { readonly text: Markup; readonly isCorrect: boolean }[];
  /** Correct numbers, and how far a response may be below and above. */
  readonly numbers?: readonly { readonly value: string; readonly below?: number; readonly above?: number }[];
  readonly solution?: Markup | undefined;
  readonly marking?: Marking | undefined;
  /** As written, whether valid or not. */
  readonly fields?: Readonly<Partial<Record<'number' | 'section' | 'topic' | 'difficulty', string>>>;
  /** The bytes of an image; undefined if the file does not have it. */
  readonly image?: (source: string) => Uint8Array | undefined;
  /** What is not read. Details follow after a colon. */
  readonly losses: readonly string[];
}

/** The question types of the formats, and what they become. No others are imported. */
const types: Readonly<Record<string, QuestionType>> = {
  ...{ mcq: 'mcq', msq: 'msq', numerical: 'numerical' },
  ...{ 'multichoice single': 'mcq', 'multichoice multiple': 'msq', truefalse: 'mcq' },
  ...{ 'choiceinteraction single': 'mcq', 'choiceinteraction multiple': 'msq' },
  ...{ 'textentryinteraction float': 'numerical', 'textentryinteraction integer': 'numerical' },
};

/** What became of an item. */
export interface Outcome {
  readonly name: string;
  /** Undefined if it is not imported; the last of `losses` says why. */
  readonly question: Question | undefined;
  readonly losses: readonly string[];
}

export interface ImportedPaper {
  readonly paper: SubjectFile;
  /** Images by their file names. */
  readonly diagrams: ReadonlyMap<string, Uint8Array>;
  readonly outcomes: readonly Outcome[];
}

/** Makes a paper of items. @param topics that its questions may have; any if undefined */
export function importItems(
  items: Iterable<Item>,
  { exam, shift, subject }: PaperPlace,
  topics: readonly string[] | undefined,
  now: Date,
): ImportedPaper {
  const questions: Question[] = [];
  const diagrams = new Map<string, Uint8Array>();
  const outcomes: Outcome[] = [];
  for (const item of items) {
    const id = `${exam}-${shift}-${subject}-${String(questions.length + 1).padStart(2, '0')}`;
    const losses = new Set(item.losses);
    const images = new Map<string, Uint8Array>();
    let question: Question | undefined;
    try {
      question = questionOf(item, id, topics, images, (what) => losses.add(what));
      questions.push(question);
      for (const [file, bytes] of images) diagrams.set(file, bytes);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      losses.add(`not imported: ${error.message}`);
    }
    outcomes.push({ name: item.name, question, losses: [...losses] });
  }
  const lastUpdated = now.toISOString().replace(/\.\d+Z$/, 'Z');
  return { paper: { lastUpdated, ...withSharedMarking(questions) }, diagrams, outcomes };
}

/** Marks that all questions have are those of the paper. */
function withSharedMarking(questions: readonly Question[]): Pick<SubjectFile, 'marking' | 'questions'> {
  const [first] = questions;
  if (!first?.marking || questions.some(({ marking }) => JSON.stringify(marking) !== JSON.stringify(first.marking)))
    return { questions };
  return { marking: first.marking, questions: questions.map(({ marking: _, ...question }) => question) };
}

/** @throws UserError if the item cannot be a question */
function questionOf(
  item: Item,
  id: string,
  topics: readonly string[] | undefined,
  images: Map<string, Uint8Array>,
  lose: (what: string) => void,
): Question {
  const type = Object.hasOwn(types, item.type) ? types[item.type] : undefined;
  if (!type) throw new UserError(`type ${item.type}`);
  const listed: DiagramReference[] = [];
  const image = (source: string, alt: string) => {
    const [, data] = /^data:image\/[^,]*;base64,(.*)$/s.exec(source) ?? [];
    const bytes = data === undefined ? item.image?.(source) : Buffer.from(data, 'base64');
    const file = bytes && imageName(`${id}-${images.size + 1}`, bytes);
    if (!bytes || file === undefined) return void lose(`images: ${source.slice(0, 100)}`);
    images.set(file, bytes);
    const description = alt
      .normalize('NFC')
      .replace(/[\s\p{C}]+/gu, ' ')
      .trim();
    listed.push({ file, ...(description && { alt: description }) });
    return file;
  };
  const write = (markup: Markup = '') => {
    const text = typeof markup === 'string' ? markup.trim() : textOf(markup(), { image, lose });
    if (text.length > bounds.text) throw new UserError(`text longer than ${bounds.text} characters`);
    return text;
  };
  const text = withoutFigures(write(item.text), listed);
  const options = type === 'numerical' ? [] : (item.options ?? []);
  if (text === '') throw new UserError('no text');
  if (type !== 'numerical' && (options.length < 2 || options.length > bounds.options))
    throw new UserError(`fewer than 2 or more than ${bounds.options} options`);
  const answer = type === 'numerical' ? numbersOf(item, lose) : keysOf(options, type);
  const written = options.map((option, index) => optionOf(write(option.text), index, listed));
  const solution = write(item.solution);
  const question = { id, type, question: text, options: written, ...fieldsOf(item, topics, lose), ...answer };
  return {
    ...question,
    ...(solution !== '' && { solution }),
    ...(item.marking && { marking: item.marking }),
    ...(listed.length > 0 && { diagrams: listed }),
  };
}

/** A diagram alone in the last paragraph of a text. */
const lastFigure = /(?:^|\n\n)!\[\]\((\S+)\)$/;

function figureAtEnd(text: string, listed: readonly DiagramReference[]): DiagramReference | undefined {
  const [, file] = lastFigure.exec(text) ?? [];
  return listed.find((diagram) => diagram.file === file);
}

/** Diagrams of a question are shown after its text in any case. */
function withoutFigures(text: string, listed: readonly DiagramReference[]): string {
  const isAlone = text.replace(lastFigure, '') === '';
  return isAlone || !figureAtEnd(text, listed) ? text : withoutFigures(text.replace(lastFigure, ''), listed);
}

function optionOf(text: string, index: number, listed: DiagramReference[]): Option {
  const diagram = figureAtEnd(text, listed);
  const value = diagram ? text.replace(lastFigure, '') : text;
  if (!diagram && value === '') throw new UserError('an empty option');
  if (diagram) listed.splice(listed.indexOf(diagram), 1);
  return { key: keyOf(index), ...(value !== '' && { value }), ...(diagram && { diagram }) };
}

/** The key of an option by its position. */
export function keyOf(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index);
}

function keysOf(options: NonNullable<Item['options']>, type: QuestionType): Pick<Question, 'answer' | 'accepted'> {
  const keys = options.flatMap(({ isCorrect }, index) => (isCorrect ? [keyOf(index)] : []));
  const [first] = keys;
  if (first === undefined) throw new UserError('no correct answer');
  if (type === 'msq') return { answer: keys.join(',') };
  return { answer: first, ...(keys.length > 1 && { accepted: keys }) };
}

function numbersOf({ numbers = [] }: Item, lose: (what: string) => void): Partial<Question> {
  const [first, ...others] = numbers;
  const answer = decimalOf(first?.value ?? '');
  if (!first || answer === undefined) throw new UserError('no number as the answer');
  const { below = 0, above = 0 } = first;
  const [min, max] = [decimalOf(Number(answer) - below), decimalOf(Number(answer) + above)];
  if (below + above > 0 && min !== undefined && max !== undefined) {
    if (others.length > 0) lose('further answers');
    return { answer, answerRange: { min, max } };
  }
  const accepted = new Set([answer, ...others.map(({ value }) => decimalOf(value) ?? answer)]);
  return { answer, ...(accepted.size > 1 && { accepted: [...accepted] }) };
}

/** The most digits that a program keeps. */
const safeDigits = 15;

/** A number as content files have it; undefined for what is no number. */
export function decimalOf(written: string | number): string | undefined {
  const text = String(written).trim();
  const number = Number(text || Number.NaN);
  if (!Number.isFinite(number)) return undefined;
  const isDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && text.length <= safeDigits;
  if (isDecimal && (number !== 0 || !text.startsWith('-'))) return text;
  return (number || 0).toLocaleString('en-US', { useGrouping: false, maximumSignificantDigits: safeDigits });
}

/** The fields that are valid. */
function fieldsOf(
  { fields = {} }: Item,
  topics: readonly string[] | undefined,
  lose: (what: string) => void,
): Partial<Question> {
  const isValid: Readonly<Record<string, (value: string) => boolean>> = {
    number: (value) => value.length <= 20,
    section: (value) => value.length <= 100,
    topic: (value) => value.length <= 100 && (topics?.includes(value) ?? true),
    difficulty: (value) => /^(?:easy|medium|hard)$/.test(value),
  };
  const entries = Object.entries(fields).map(([name, value]) => {
    const plain = value
      .normalize('NFC')
      .replace(/[\s\p{C}]+/gu, ' ')
      .trim();
    return [name, name === 'difficulty' ? plain.toLowerCase() : plain] as const;
  });
  const written = entries.filter(([, value]) => value !== '');
  for (const [name, value] of written) if (!isValid[name]?.(value)) lose(`${name}: ${value.slice(0, 100)}`);
  return Object.fromEntries(written.filter(([name, value]) => isValid[name]?.(value)));
}

/** The name of an image with the extension of its format; undefined if a bank may not have it. */
function imageName(name: string, bytes: Uint8Array): string | undefined {
  const unnamed = readImage(name, bytes);
  const file = `${name}${'extension' in unnamed ? unnamed.extension : ''}`;
  const image = readImage(file, bytes);
  if ('fault' in image || image.problems.length > 0 || bytes.length > bounds.imageBytes) return undefined;
  return Math.max(image.width, image.height) <= bounds.imageSide ? file : undefined;
}
