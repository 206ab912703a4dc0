/** Reads responses of the API, whoever sent them: what becomes a path, and checksums. */
import { fieldsOf, listOf } from '../content/question.ts';
import type * as api from '../release/resources.ts';
import { isName, type NameKind, namePatterns } from '../release/urls.ts';
import { formatNumber } from '../report/wording.ts';
import { checksum } from './checksums.ts';
import { PastpaperError, RequestFailed } from './errors.ts';

const { exam, year, shift, subject, language, diagram } = namePatterns;

/** An exam, or one of its years. */
export const scopePattern = new RegExp(`^${exam}(?:/${year})?$`);

/** The path of a paper or diagram, at the service and in a mirror, and that of a year's metadata in a mirror. */
export const filePath = new RegExp(
  `^${exam}/${year}/(?:index\\.json|${shift}/(?:${subject}(?:\\.${language})?\\.json|diagrams/${diagram}))$`,
);

/** Years of an exam, shifts of a year and papers of a shift. */
const maxNames = 10_000;

/** With `.json` or the name of a draft, a name is no longer than file systems allow: 255 characters. */
const longestName = 200;

/** A shift as the metadata of the service describes it. */
export interface Shift extends Pick<api.ShiftSummary, 'shift' | 'subjects' | 'checksum'> {
  readonly exam: string;
  readonly year: number;
  /** `neet/2024/2024-05-05-s1`: its folder in the mirror, and its path at the service. */
  readonly path: string;
  readonly translations: readonly Pick<
    api.TranslationSummary,
    'subject' | 'language' | 'checksum'
  >[];
}

/** A year, its metadata as the service sent it, and what a mirror needs of its shifts. */
export interface Year {
  /** `neet/2024` */
  readonly path: string;
  readonly body: Uint8Array;
  readonly summary: api.YearShifts;
  readonly shifts: readonly Shift[];
}

/** The paths of the papers and translations of a shift. */
export function paperPaths({ path, subjects, translations }: Shift): string[] {
  return [...subjects, ...translations.map((one) => `${one.subject}.${one.language}`)].map(
    (name) => `${path}/${name}.json`,
  );
}

/** The path of a year: `neet/2024`. */
export function yearPath(exam: string, year: number): string {
  return `${exam}/${String(year).padStart(4, '0')}`;
}

/** The years of an exam, in four digits. @throws RequestFailed when the resource is invalid, or another exam's */
export function readYears(body: Uint8Array, exam: string): string[] {
  const years = listIn(readObject(body, { exam })['years'], 1);
  const names = years.map((year) => typeof year === 'number' && String(year).padStart(4, '0'));
  return uniqueNames('year', names);
}

/** @throws RequestFailed when the resource is invalid, another year's, or names a shift twice; PastpaperError for too many */
export function readYear(body: Uint8Array, exam: string, year: number): Year {
  const path = yearPath(exam, year);
  const summary = readObject(body, { exam, year });
  const list = listIn(summary['shifts'], 1);
  if (list.length > maxNames)
    throw new PastpaperError(
      'address',
      `${path}: the service lists ${formatNumber(list.length)} shifts, more than the ` +
        `${formatNumber(maxNames)} that a year may have. Is that the address of the service?`,
    );
  const shifts = list.map((one) => {
    const { shift, subjects, translations = [], checksum } = fieldsOf(one);
    const name = nameOf('shift', shift);
    return {
      exam,
      year,
      path: `${path}/${name}`,
      shift: name,
      subjects: uniqueNames('subject', subjects),
      checksum: checksumIn(checksum),
      translations: listIn(translations).map((translation) => {
        const { subject, language, checksum } = fieldsOf(translation);
        return {
          subject: nameOf('subject', subject),
          language: nameOf('language', language),
          checksum: checksumIn(checksum),
        };
      }),
    };
  });
  if (new Set(shifts.map(({ shift }) => shift)).size < shifts.length)
    throw new RequestFailed('the response contains a shift twice');
  return { path, body, summary: summary as unknown as api.YearShifts, shifts };
}

/** A question file whose questions match its checksum, and the diagrams that it names. */
export interface Paper {
  readonly file: api.QuestionFile;
  readonly checksum: string;
  readonly diagrams: readonly Pick<api.Diagram, 'file' | 'checksum'>[];
}

/**
 * Reads a question file (2.3), and compares its questions with its checksum.
 *
 * @param path `neet/2024/2024-05-05-s1/physics.json`
 * @throws RequestFailed when it is invalid, another paper's, or does not match its own checksum
 */
export function readPaper(body: Uint8Array, path: string): Paper {
  const [exam, year, shift, name = ''] = path.split('/');
  const [subject, language] = name.replace(/\.json$/, '').split('.');
  const file = readObject(body, { exam, year: Number(year), shift, subject, language });
  const questions = listOf(file['questions']);
  // A lone surrogate, or values nested deeper than the stack.
  const sum = orFail(() => checksum(questions), 'the response cannot be canonicalized');
  if (sum !== fieldsOf(file['metadata'])['checksum'])
    throw new RequestFailed('the questions do not match their checksum');
  const diagrams = [...listOf(file['passages']), ...questions].flatMap(diagramsIn);
  return { file: file as unknown as api.QuestionFile, checksum: sum, diagrams };
}

/** The diagrams of a question or passage. @throws RequestFailed when one cannot be a file */
function diagramsIn(owner: unknown): Paper['diagrams'] {
  const { diagrams, options } = fieldsOf(owner);
  const ofOptions = listOf(options).map((option) => fieldsOf(option)['diagram'] ?? []);
  return [listOf(diagrams), ofOptions].flat(2).map((diagram) => {
    const { file, checksum } = fieldsOf(diagram);
    return { file: nameOf('diagram', file), checksum: checksumIn(checksum) };
  });
}

const wrongShape = 'the response does not conform to the specification';

/** @throws RequestFailed when a value is no list, or has fewer items */
export function listIn(value: unknown, least = 0): readonly unknown[] {
  if (Array.isArray(value) && value.length >= least) return value;
  throw new RequestFailed(`${wrongShape}: a list is missing or empty`);
}

/** @throws RequestFailed when a value is no list of names, or a name is in it twice */
function uniqueNames(kind: NameKind, value: unknown): string[] {
  const names = listIn(value);
  if (names.length > maxNames || new Set(names).size < names.length)
    throw new RequestFailed(`${wrongShape}: a list of names is too long, or has one twice`);
  return names.map((name) => nameOf(kind, name));
}

/** A name that may be used in a path on disk. @throws RequestFailed */
function nameOf(kind: NameKind, value: unknown): string {
  if (typeof value === 'string' && value.length <= longestName && isName(kind, value)) return value;
  throw new RequestFailed(`${wrongShape}: a name of a ${kind} is missing or invalid`);
}

/** @throws RequestFailed */
function checksumIn(value: unknown): string {
  if (typeof value === 'string' && /^[0-9a-f]{12}$/.test(value)) return value;
  throw new RequestFailed(`${wrongShape}: a checksum is missing or invalid`);
}

/** @throws RequestFailed when a body is not JSON, or is about something else */
export function readObject(
  body: Uint8Array,
  expected: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const parse = () => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  const parsed: unknown = orFail(parse, 'the response is not complete JSON');
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new RequestFailed(`${wrongShape}: it is not an object`);
  const value = fieldsOf(parsed);
  for (const [field, wanted] of Object.entries(expected))
    if (value[field] !== wanted)
      throw new RequestFailed(`the response is not for ${Object.values(expected).join(' ')}`);
  return value;
}

/** @throws RequestFailed when `read` throws */
function orFail<Value>(read: () => Value, reason: string): Value {
  try {
    return read();
  } catch {
    throw new RequestFailed(reason);
  }
}
