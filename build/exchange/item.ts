/** What the formats have in common: items as read, and questions made of them. */
import { marginFields } from '../client/range.ts';
import bounds from '../content/bounds.json' with { type: 'json' };
import { readImage } from '../content/image.ts';
import type { PaperPlace } from '../content/types.ts';
import type { Diagram, Option, Question, SubjectFile } from '../content/written.ts';
import type { Marking } from '../release/resources.ts';
import { UserError } from '../release/user-error.ts';
import { textOf } from './html.ts';
import { type Node, normalized } from './source.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** A text of the content format, or HTML, which is parsed when it is needed. */
export type Markup = string | (() => readonly Node[]);

/** Reports what is not kept: a kind, with details after a colon. */
type Lose = (what: string) => void;

/** The fields of a question that a file may have as they are written. */
export const writtenFields = ['number', 'section', 'topic', 'difficulty'] as const;

/** A question as a file of another format has it. */
export interface Item {
  /** For the report. */
  readonly name: string;
  /** The id of the question that it was exported from. */
  readonly id?: string;
  /** Its type in that format: a key of `types`, or one that is not imported. */
  readonly type: string;
  readonly text: Markup;
  readonly options?: readonly { readonly text: Markup; readonly isCorrect: boolean }[];
  /** Correct numbers and texts, and how far a response may be below and above a number. */
  readonly answers?: readonly {
    readonly value: string;
    readonly below?: number;
    readonly above?: number;
  }[];
  readonly solution?: Markup | undefined;
  readonly marking?: Marking | undefined;
  /** As written, whether valid or not. */
  readonly fields?: Readonly<Partial<Record<(typeof writtenFields)[number], string>>>;
  /** The bytes of an image; undefined if the file does not have it. */
  readonly image?: (source: string) => Uint8Array | undefined;
  /** The description of an image of a text that is no HTML. */
  readonly alt?: (source: string) => string;
  /** Why it cannot be imported, if its type is not the reason. */
  readonly refusal?: string;
  /** What is not read. Details follow after a colon. */
  readonly losses: readonly string[];
}

/** The losses that occurred. */
export function lossesIf(losses: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(losses).filter((what) => losses[what]);
}

/** The question types of the formats, and what they become. No others are imported. */
const types = vocabulary.types as Readonly<Record<string, Question['type']>>;

export interface ImportedPaper {
  readonly paper: SubjectFile;
  /** Images by their file names. */
  readonly diagrams: ReadonlyMap<string, Uint8Array>;
  /** What became of each item: its last loss says why it is no question. */
  readonly outcomes: readonly Outcome[];
}

interface Outcome {
  readonly name: string;
  readonly question: Question | undefined;
  readonly losses: readonly string[];
}

/**
 * Makes a paper of items.
 *
 * @param topics that its questions may have; any if undefined
 * @param idOf the id of the question that an item becomes, by its index; by default they are numbered
 */
export function importItems(
  items: Iterable<Item>,
  place: PaperPlace,
  topics: readonly string[] | undefined,
  now: Date,
  idOf?: (index: number) => string,
): ImportedPaper {
  const questions: Question[] = [];
  const diagrams = new Map<string, Uint8Array>();
  const outcomes: Outcome[] = [];
  let imageBytes = 0;
  const countImage = (bytes: number) => {
    imageBytes += bytes;
    if (imageBytes > bounds.importReadBytes)
      throw new UserError(`images of more than ${bounds.importReadBytes / 2 ** 20} MB`);
  };
  for (const item of items) {
    if (outcomes.length === bounds.importQuestions)
      throw new UserError(`The file has more than ${bounds.importQuestions} questions. Split it.`);
    const id = idOf?.(outcomes.length) ?? numberedId(place, questions.length + 1);
    const losses = new Set(item.losses);
    const images = new Map<string, Uint8Array>();
    let question: Question | undefined;
    try {
      question = questionOf(item, id, topics, { images, countImage }, (what) => losses.add(what));
      questions.push(question);
      for (const [file, bytes] of images) diagrams.set(file, bytes);
    } catch (error) {
      // A RangeError is that of a structure that is too large.
      if (!(error instanceof UserError || error instanceof RangeError)) throw error;
      losses.add(`not imported: ${error.message}`);
    }
    outcomes.push({ name: item.name, question, losses: [...losses] });
  }
  const paper: SubjectFile = {
    lastUpdated: now.toISOString().replace(/\.\d+Z$/, 'Z'),
    ...withSharedMarking(questions),
  };
  return { paper, diagrams, outcomes };
}

/** The id of the question with this number in a paper. */
export function numberedId({ exam, shift, subject }: PaperPlace, number: number): string {
  return `${exam}-${shift}-${subject}-${String(number).padStart(2, '0')}`;
}

/** Marks that all questions have are those of the paper. */
function withSharedMarking(
  questions: readonly Question[],
): Pick<SubjectFile, 'marking' | 'questions'> {
  const [first] = questions;
  if (
    !first?.marking ||
    questions.some(({ marking }) => JSON.stringify(marking) !== JSON.stringify(first.marking))
  )
    return { questions };
  return {
    marking: first.marking,
    questions: questions.map(({ marking: _, ...question }) => question),
  };
}

interface KeptImages {
  readonly images: Map<string, Uint8Array>;
  /** @throws UserError if all images have too many bytes */
  readonly countImage: (bytes: number) => void;
}

/** @throws UserError if the item cannot be a question */
function questionOf(
  item: Item,
  id: string,
  topics: readonly string[] | undefined,
  { images, countImage }: KeptImages,
  lose: Lose,
): Question {
  if (item.refusal !== undefined) throw new UserError(item.refusal);
  const type = Object.hasOwn(types, item.type) ? types[item.type] : undefined;
  if (!type) throw new UserError(`type ${item.type}`);
  const listed: Diagram[] = [];
  const image = (source: string, alt: string) => {
    countImage(0);
    const [, data] = /^data:image\/[^,]*;base64,(.*)$/s.exec(source) ?? [];
    const bytes = data === undefined ? item.image?.(source) : Buffer.from(data, 'base64');
    countImage(bytes?.length ?? 0);
    const file = bytes && imageName(`${id}-${images.size + 1}`, bytes);
    if (!bytes || file === undefined)
      return void lose(
        `images: ${source.slice(0, 100)}${alt && ` (${lineOf(alt).slice(0, 200)})`}`,
      );
    images.set(file, bytes);
    const description = lineOf(alt);
    listed.push({ file, ...(description && { alt: description }) });
    return file;
  };
  const write = (markup: Markup = '') => {
    const text =
      typeof markup === 'string'
        ? withImages(markup.trim(), item, image)
        : textOf(markup(), { image, lose });
    if (text.length > bounds.text)
      throw new UserError(`text longer than ${bounds.text} characters`);
    return text;
  };
  const text = write(item.text);
  // Diagrams of a question are shown after its text in any case.
  const shortest = cutFigure(text, listed)[0] || text;
  const hasOptions = type === 'mcq' || type === 'msq';
  const { options = [], answers = [] } = hasOptions ? item : { answers: item.answers };
  if (text === '') throw new UserError('no text');
  if (hasOptions && (options.length < 2 || options.length > bounds.options))
    throw new UserError(`fewer than 2 or more than ${bounds.options} options`);
  const answer = hasOptions ? keysOf(options, type) : answerOf(answers, type, lose);
  const written = options.map((option, index) => optionOf(write(option.text), index, listed));
  const solution = write(item.solution);
  const question = {
    id,
    type,
    question: shortest,
    options: written,
    ...fieldsOf(item, topics, lose),
    ...answer,
  };
  return {
    ...question,
    ...(solution !== '' && { solution }),
    ...(item.marking && { marking: item.marking }),
    ...(listed.length > 0 && { diagrams: listed }),
  };
}

/** A text whose images have the names of diagrams. */
function withImages(
  text: string,
  { image, alt }: Item,
  keep: (source: string, alt: string) => string | undefined,
): string {
  if (!image) return text;
  const written = text.replace(
    /!\[([^\]\n]*)\]\(([^\s()]+)\)/g,
    (_, own: string, source: string) => {
      const file = keep(source, own || alt?.(source) || '');
      return file === undefined ? '' : `![](${file})`;
    },
  );
  return written.trim();
}

/** Takes a diagram off the end of a text, if it is alone in the last paragraph. */
function cutFigure(text: string, listed: readonly Diagram[]): [text: string, Diagram | undefined] {
  const [found = '', file] = /(?:^|\n\n)!\[\]\((\S+)\)$/.exec(text) ?? [];
  const diagram = listed.find((one) => one.file === file);
  return [diagram ? text.slice(0, text.length - found.length) : text, diagram];
}

function optionOf(text: string, index: number, listed: Diagram[]): Option {
  const [value, diagram] = cutFigure(text, listed);
  if (!diagram && value === '') throw new UserError('an empty option');
  if (diagram) listed.splice(listed.indexOf(diagram), 1);
  return { key: keyOf(index), ...(value !== '' && { value }), ...(diagram && { diagram }) };
}

/** The key of an option by its position. */
export function keyOf(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index);
}

function keysOf(
  options: NonNullable<Item['options']>,
  type: Question['type'],
): Pick<Question, 'answer' | 'accepted'> {
  const keys = options.flatMap(({ isCorrect }, index) => (isCorrect ? [keyOf(index)] : []));
  const [first] = keys;
  if (first === undefined) throw new UserError('no correct answer');
  if (type === 'msq') return { answer: keys.join(',') };
  return { answer: first, ...(keys.length > 1 && { accepted: keys }) };
}

function answerOf(
  answers: NonNullable<Item['answers']>,
  type: Question['type'],
  lose: Lose,
): Partial<Question> {
  const written = answers.flatMap(
    ({ value }) => (type === 'text' ? lineOf(value) : decimalOf(value)) || [],
  );
  const spelling = (value: string) =>
    type === 'text' ? value.toLowerCase().replaceAll(' ', '') : Number(value);
  if (written.length > bounds.accepted) throw new UserError(`more than ${bounds.accepted} answers`);
  const spellings = written.map(spelling);
  const accepted = written.filter(
    (_, index) => spellings.indexOf(spellings[index] ?? '') === index,
  );
  const [answer] = accepted;
  if (answer === undefined)
    throw new UserError(type === 'text' ? 'no answer' : 'no number as the answer');
  const result = { answer, ...(accepted.length > 1 && { accepted }) };
  if (type === 'text') return result;
  const { below = 0, above = 0 } = answers[0] ?? {};
  if (answers.some((other) => (other.below ?? 0) !== below)) lose('different tolerances');
  const margins = marginFields({ value: answer, below, above }, (one) => decimalOf(one) ?? answer);
  if (!margins.answerRange) return { ...result, ...margins };
  if (accepted.length > 1) lose('further answers');
  return { answer, ...margins };
}

/** The most digits that a program keeps. */
const safeDigits = 15;

/** A number as content files have it, a computed one without rounding errors; undefined for what is no number. */
export function decimalOf(written: string | number): string | undefined {
  const text =
    typeof written === 'number' ? String(Number(written.toPrecision(12))) : written.trim();
  const number = Number(text || Number.NaN);
  if (!Number.isFinite(number)) return undefined;
  const isDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && text.length <= safeDigits;
  if (isDecimal && (number !== 0 || !text.startsWith('-'))) return text;
  return (number || 0).toLocaleString('en-US', {
    useGrouping: false,
    maximumSignificantDigits: safeDigits,
  });
}

/** The fields that are valid. */
function fieldsOf(
  { fields = {} }: Item,
  topics: readonly string[] | undefined,
  lose: Lose,
): Partial<Question> {
  const lines = Object.entries(fields).map(([name, value]) => [name, lineOf(value)] as const);
  const isValid = ([name, line]: readonly [name: string, line: string]) =>
    new RegExp(`^(?:${vocabulary.valid[name as keyof typeof vocabulary.valid]})$`, 'u').test(
      line,
    ) &&
    (name !== 'topic' || topics === undefined || topics.includes(line));
  for (const [name, line] of lines)
    if (line !== '' && !isValid([name, line])) lose(`${name}: ${line.slice(0, 100)}`);
  return Object.fromEntries(lines.filter(isValid));
}

/** A text without line breaks, as in names. */
function lineOf(text: string): string {
  const line = normalized(text).replace(/[\s\p{Cc}]+/gu, ' ');
  return line.trim();
}

/** The name of an image with the extension of its format; undefined if a bank may not have it. */
function imageName(name: string, bytes: Uint8Array): string | undefined {
  const unnamed = readImage(name, bytes);
  const file = `${name}${'extension' in unnamed ? unnamed.extension : ''}`;
  const image = readImage(file, bytes);
  if ('fault' in image || image.problems.length > 0 || bytes.length > bounds.imageBytes)
    return undefined;
  return Math.max(image.width, image.height) <= bounds.imageSide ? file : undefined;
}
