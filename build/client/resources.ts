/** Reads responses of the API, whoever sent them: what becomes a path, and checksums. */
import type * as api from '../release/resources.ts';
import { namePatterns } from '../release/urls.ts';
import { checksum } from './checksums.ts';
import { RequestFailed } from './errors.ts';

const { exam, year, shift, subject, language, diagram } = namePatterns;

/** An exam, or one of its years. */
export const scopePattern = new RegExp(`^${exam}(?:/${year})?$`);

/** The path of a paper or diagram, at the service and in a mirror, and that of a year's metadata in a mirror. */
export const filePath = new RegExp(
  `^${exam}/${year}/(?:index\\.json|${shift}/(?:${subject}(?:\\.${language})?\\.json|diagrams/${diagram}))$`,
);

/** A shift as the metadata of the service describes it. */
export interface Shift
  extends Pick<api.ShiftSummary, 'shift' | 'subjects' | 'translations' | 'checksum'> {
  /** `neet/2024/2024-05-05-s1`: its folder in the mirror, and its path at the service. */
  readonly path: string;
}

/** A year, and its metadata as the service sent it. */
export interface Year {
  /** `neet/2024` */
  readonly path: string;
  readonly body: Uint8Array;
  readonly summary: api.YearShifts;
  readonly shifts: readonly Shift[];
}

/** The paths of the papers and translations of a shift. */
export function paperPaths({ path, subjects, translations = [] }: Shift): string[] {
  const translated = translations.map((one) => `${one.subject}.${one.language}`);
  return [...subjects, ...translated].map((name) => `${path}/${name}.json`);
}

/** The path of a year: `neet/2024`. */
export function yearPath(exam: string, year: number): string {
  return `${exam}/${String(year).padStart(4, '0')}`;
}

/** The list of exams. @throws RequestFailed when the resource is invalid */
export function readExams(body: Uint8Array): api.ExamList {
  const list = readJson<api.ExamList>(body);
  return conforming(() => (list.exams.length >= 0 ? list : fail()));
}

/** The years of an exam. @throws RequestFailed when the resource is invalid, or another exam's */
export function readYears(body: Uint8Array, exam: string): readonly number[] {
  const { years } = readJson<api.ExamYears>(body, { exam });
  return conforming(() =>
    years.length > 0 && years.every((year) => scopePattern.test(yearPath(exam, year)))
      ? years
      : fail(),
  );
}

/** A year of an exam. @throws RequestFailed when the resource is invalid, or another year's */
export function readYear(body: Uint8Array, exam: string, year: number): Year {
  const path = yearPath(exam, year);
  const summary = readJson<api.YearShifts>(body, { exam, year });
  return conforming(() => {
    const shifts = summary.shifts.map((one) => ({ ...one, path: `${path}/${one.shift}` }));
    const papers = shifts.flatMap(paperPaths);
    // Without any, a sync would remove what it has.
    if (papers.length === 0 || !papers.every((paper) => filePath.test(paper))) fail();
    return { path, body, summary, shifts };
  });
}

/** A question file whose questions match its checksum, and the diagrams that it names. */
export interface Paper {
  readonly file: api.QuestionFile;
  readonly diagrams: readonly Pick<api.Diagram, 'file' | 'checksum'>[];
}

/**
 * Reads a question file (2.3), and compares its questions with its checksum.
 *
 * @param path `neet/2024/2024-05-05-s1/physics.json`
 * @throws RequestFailed when it is invalid, another paper's, or does not match its own checksum
 */
export function readPaper(body: Uint8Array, path: string): Paper {
  const [exam = '', year, shift = '', name = ''] = path.split('/');
  const [subject = '', language] = name.replace(/\.json$/, '').split('.');
  const about = { exam, year: Number(year), shift, subject, language };
  const file = readJson<api.QuestionFile>(body, about);
  return conforming(() => {
    if (checksum(file.questions) !== file.metadata.checksum)
      throw new RequestFailed('the questions do not match their checksum');
    const owners: readonly Partial<api.Question>[] = [...(file.passages ?? []), ...file.questions];
    const diagrams = owners.flatMap(({ diagrams = [], options = [] }) => [
      ...diagrams,
      ...options.flatMap((option) => option.diagram ?? []),
    ]);
    const folder = path.slice(0, -name.length);
    return diagrams.every((one) => filePath.test(`${folder}diagrams/${one.file}`))
      ? { file, diagrams }
      : fail();
  });
}

/** Reads JSON. @throws RequestFailed when a body is none, or does not have these values */
export function readJson<Value extends object>(
  body: Uint8Array,
  about: Partial<Value> = {},
): Value {
  let value: Value;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new RequestFailed('the response is not complete JSON');
  }
  const fields = Object.keys(about) as (keyof Value)[];
  if (fields.every((field) => value?.[field] === about[field])) return value;
  throw new RequestFailed(`the response is not for ${Object.values(about).join(' ')}`);
}

/** Reads a value that may have any shape. @throws RequestFailed when `read` throws */
function conforming<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof RequestFailed
      ? error
      : new RequestFailed('the response does not conform to the specification');
  }
}

function fail(): never {
  throw new TypeError();
}
