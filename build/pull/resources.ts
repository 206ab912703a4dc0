import { hash } from 'node:crypto';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { checksumOf, shortChecksum } from '../compile/checksum.ts';
import { compiledModule } from '../compile.js';
import { type Drawn, diagramsOf } from '../content/question.ts';
import type * as api from '../release/resources.ts';
import { checksumsPath, type PublicKeys, verifiedChecksums } from '../release/signature.ts';
import { formatNumber } from '../report/wording.ts';
import type { Client, Found } from './client.ts';
import { PullStopped, quoted, RequestFailed, Unsigned } from './errors.ts';
import mirror from './mirror.json' with { type: 'json' };

/** What a mirror needs of a shift summary, a diagram and a question file (2.2 and 2.3 of the specification). */
type MirroredSummary = Pick<api.ShiftSummary, 'shift' | 'subjects' | 'checksum'> & {
  readonly translations?: readonly Pick<
    api.TranslationSummary,
    'subject' | 'language' | 'checksum'
  >[];
};
type MirroredYear = Pick<api.YearShifts, 'exam' | 'year'> & {
  readonly shifts: readonly MirroredSummary[];
};
type MirroredDiagram = Pick<api.ServedDiagram, 'file' | 'checksum'>;
interface MirroredPaper extends Pick<api.QuestionFile, 'exam' | 'year' | 'shift' | 'subject'> {
  readonly language?: string | undefined;
  readonly questions: readonly Drawn<MirroredDiagram>[];
  readonly passages?: readonly Drawn<MirroredDiagram>[];
  readonly metadata: { readonly checksum: string };
}

const validators = await compiledModule('validators/mirror');

/**
 * `mirror.json` has the schemas of these parts. A name has no slash and no leading dot, and with `.json` or the name of a
 * draft it is no longer than file systems allow, 255 characters: it may be used in a path on disk.
 */
const examYears: ValidateFunction<Pick<api.ExamYears, 'exam' | 'years'>> = validators.ExamYears;
const yearShifts: ValidateFunction<MirroredYear> = validators.YearShifts;
const questionFile: ValidateFunction<MirroredPaper> = validators.QuestionFile;

/** Years of an exam, shifts of a year and papers of a shift. */
const { maxItems: maxNames } = mirror.$defs.ExamYears.properties.years;

/** A shift as the metadata of the service describes it. */
export interface Shift extends MirroredSummary {
  readonly exam: string;
  readonly year: number;
  /** `neet/2024/2024-05-05-s1`: its folder in the mirror, and its path at the service. */
  readonly path: string;
}

/** What a mirror needs of a question file. */
export type PaperContent = ReturnType<typeof readPaper>;

/** @param shift its path @param paper its subject, and the language of a translation: `physics`, `physics.hi` */
export function paperPath(shift: string, paper: string): string {
  return `${shift}/${paper}.json`;
}

/** The papers of a shift and their translations. */
export function papersIn({ subjects, translations = [] }: MirroredSummary): string[] {
  return [...subjects, ...translations.map(({ subject, language }) => `${subject}.${language}`)];
}

/** Their paths. */
export function paperPaths(shift: Shift): string[] {
  return papersIn(shift).map((paper) => paperPath(shift.path, paper));
}

/** Why a response is not accepted. */
export const unsigned =
  'the response is not in the signed checksums. It was changed, or a new release is being published.';

/** Whether a response with this body is signed. */
export type IsSigned = (body: Buffer) => boolean;

/**
 * Requests the checksums of all responses, which the operator of the service signed.
 *
 * @throws PullStopped when there are none, or their signature is not by this key
 */
export async function requestChecksums(client: Client, publicKeys: PublicKeys): Promise<IsSigned> {
  const url = client.urlOf(checksumsPath);
  const hashes = await client.get(
    { path: checksumsPath, isProtected: false },
    ({ body }) => verifiedChecksums(String(body), publicKeys) ?? 'unsigned',
  );
  if (hashes === 'unsigned')
    throw new PullStopped(
      `${url}: the signature does not match the public key. ` +
        'The operator has a new key, or someone changed the responses. Ask the operator.',
    );
  if (typeof hashes === 'string')
    throw new PullStopped(
      `${url}: the service does not sign its releases (404). Ask its operator.`,
    );
  return (body) => hashes.has(hash('sha256', body));
}

/**
 * Requests the metadata of every shift of a scope.
 *
 * @param scope an exam, or one of its years: `neet`, `neet/2024`
 * @throws PullStopped when the service has no such exam or year; Unsigned
 */
export async function requestShifts(
  client: Client,
  scope: string,
  isSigned: IsSigned,
): Promise<readonly Shift[]> {
  const [exam = '', wanted] = scope.split('/');
  const request = async <Value extends object>(
    path: string,
    read: (body: Buffer) => Value,
  ): Promise<Value> => {
    const value = await client.get({ path, isProtected: false }, (found) => {
      requireJson(found);
      if (!isSigned(found.body)) throw new Unsigned(`${found.url}: ${unsigned}`);
      return read(found.body);
    });
    if (typeof value !== 'string') return value;
    throw new PullStopped(
      `${client.urlOf(path)}: the service has no ${path} (404). Check the exam code and the address of the service.`,
    );
  };
  const { years } = await request(exam, (body) => readResource(body, examYears, { exam }));
  const names = years.map((year) => String(year).padStart(4, '0'));
  if (wanted !== undefined && !names.includes(wanted))
    throw new PullStopped(
      `${client.urlOf(exam)}: ${exam} has no year ${wanted}. Its years: ${names.join(', ')}.`,
    );
  const found: Shift[] = [];
  for (const name of wanted === undefined ? names : [wanted]) {
    const path = `${exam}/${name}`;
    const year = Number(name);
    const shifts = await request(path, (body) => readShifts(body, exam, year));
    if (shifts.length > maxNames)
      throw new PullStopped(
        `${client.urlOf(path)}: the service lists ${formatNumber(shifts.length)} shifts, more than the ` +
          `${formatNumber(maxNames)} that a year may have. Is that the address of the service?`,
      );
    for (const summary of shifts)
      found.push({ ...summary, exam, year, path: `${path}/${summary.shift}` });
  }
  return found;
}

/** @throws RequestFailed when the resource is invalid, another year's, or names a shift twice */
function readShifts(body: Buffer, exam: string, year: number): readonly MirroredSummary[] {
  const { shifts } = readResource(body, yearShifts, { exam, year });
  // Not `uniqueItems`, which compares each pair of objects.
  if (new Set(shifts.map(({ shift }) => shift)).size < shifts.length)
    throw new RequestFailed('the response contains a shift twice');
  return shifts;
}

/** @param etag of the local paper, which is then not downloaded again */
export function requestPaper(
  client: Client,
  shift: Shift,
  subject: string,
  etag: string | undefined,
) {
  const path = paperPath(shift.path, subject);
  return client.get({ path, isProtected: true, etag }, (found) => {
    requireJson(found);
    const { body: bytes, fields } = found;
    return { ...readPaper(bytes, shift, subject), bytes, etag: etagOf(fields['etag']) };
  });
}

/** A page in place of data comes from something other than a question bank: a retry does not help. */
function requireJson({ url, fields }: Found): void {
  const type = fields['content-type'];
  if (typeof type === 'string' && /^application\/json\s*(;|$)/i.test(type)) return;
  const actual = typeof type === 'string' ? quoted(type) : 'without a media type';
  throw new PullStopped(
    `${url}: the response is ${actual}, not JSON. Is that the address of the service? ` +
      'Something in front of it may require a sign-in.',
  );
}

/** @returns undefined without an ETag that can be sent back */
function etagOf(etag: Found['fields'][string]): string | undefined {
  return typeof etag === 'string' && /^(W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(etag)
    ? etag
    : undefined;
}

/**
 * Reads a question file (2.3), and compares its questions with its checksum.
 *
 * @throws RequestFailed when it is invalid, another paper's, or does not match its own checksum
 */
export function readPaper(
  body: Buffer,
  { exam, year, shift }: Pick<Shift, 'exam' | 'year' | 'shift'>,
  subject: string,
) {
  const [name = '', language] = subject.split('.');
  const expected = { exam, year, shift, subject: name, language };
  const { questions, metadata, passages = [] } = readResource(body, questionFile, expected);
  // A lone surrogate, or values nested deeper than the stack.
  const checksum = orFail(() => checksumOf(questions), 'the response cannot be canonicalized');
  if (checksum !== metadata.checksum)
    throw new RequestFailed('the questions do not match their checksum');
  const diagrams = [...passages, ...questions].flatMap((owner) => [...diagramsOf(owner)]);
  return { checksum, diagrams };
}

/** @throws RequestFailed when a body is not JSON, does not conform to the schema, or is about something else */
function readResource<Value extends object>(
  body: Buffer,
  validate: ValidateFunction<Value>,
  expected: Partial<Value>,
): Value {
  const parse = () => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  const value: unknown = orFail(parse, 'the response is not complete JSON');
  if (!validate(value)) {
    const [error] = validate.errors ?? [];
    throw new RequestFailed(
      `the response does not conform to the specification: ${error?.instancePath || 'it'} ${error?.message}`,
    );
  }
  for (const field of Object.keys(expected) as (keyof Value)[])
    if (value[field] !== expected[field])
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

/** The checksum of a diagram: over its bytes. */
export function diagramChecksum(bytes: Buffer): string {
  return shortChecksum(hash('sha256', bytes));
}
