import { hash } from 'node:crypto';
import { checksumOf, shortChecksum } from '../../compile/response.ts';
import { fieldsOf, listOf } from '../../content/question.ts';
import type * as api from '../../release/resources.ts';
import { checksumsPath, type PublicKeys, verifiedChecksums } from '../../release/signature.ts';
import { isName, type NameKind } from '../../release/urls.ts';
import { formatNumber } from '../../report/wording.ts';
import type { Client, Found } from './client.ts';
import { PullStopped, quoted, RequestFailed, Unsigned } from './errors.ts';

/** What a mirror needs of a shift summary (2.2 of the specification). */
interface MirroredShift extends Pick<api.ShiftSummary, 'shift' | 'subjects' | 'checksum'> {
  readonly translations: readonly Pick<
    api.TranslationSummary,
    'subject' | 'language' | 'checksum'
  >[];
}

/** Years of an exam, shifts of a year and papers of a shift. */
const maxNames = 10_000;

/** With `.json` or the name of a draft, a name is no longer than file systems allow: 255 characters. */
const longestName = 200;

/** A shift as the metadata of the service describes it. */
export interface Shift extends MirroredShift {
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
export function papersIn({ subjects, translations }: MirroredShift): string[] {
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
  const names = await request(exam, (body) => readYears(body, exam));
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

/** @throws RequestFailed when the resource is invalid, or another exam's */
function readYears(body: Buffer, exam: string): string[] {
  const years = listIn(readObject(body, { exam })['years'], 1);
  const names = years.map((year) => typeof year === 'number' && String(year).padStart(4, '0'));
  return uniqueNames('year', names);
}

/** @throws RequestFailed when the resource is invalid, another year's, or names a shift twice */
function readShifts(body: Buffer, exam: string, year: number): readonly MirroredShift[] {
  const shifts = listIn(readObject(body, { exam, year })['shifts'], 1).map(readShift);
  // A year with too many has a message of its own.
  if (new Set(shifts.map(({ shift }) => shift)).size < shifts.length)
    throw new RequestFailed('the response contains a shift twice');
  return shifts;
}

/** Reads the summary of a shift: what becomes a file or folder, and the checksum. @throws RequestFailed */
function readShift(summary: unknown): MirroredShift {
  const { shift, subjects, translations = [], checksum } = fieldsOf(summary);
  return {
    shift: nameOf('shift', shift),
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
}

const wrongShape = 'the response does not conform to the specification';

/** @throws RequestFailed when a value is no list, or has fewer items */
function listIn(value: unknown, least = 0): readonly unknown[] {
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
  const file = readObject(body, expected);
  const questions = listOf(file['questions']);
  // A lone surrogate, or values nested deeper than the stack.
  const checksum = orFail(() => checksumOf(questions), 'the response cannot be canonicalized');
  if (checksum !== fieldsOf(file['metadata'])['checksum'])
    throw new RequestFailed('the questions do not match their checksum');
  return { checksum, diagrams: [...listOf(file['passages']), ...questions].flatMap(diagramsIn) };
}

/** The diagrams of a question or passage. @throws RequestFailed when one cannot be a file */
function diagramsIn(owner: unknown): Pick<api.ServedDiagram, 'file' | 'checksum'>[] {
  const { diagrams, options } = fieldsOf(owner);
  const ofOptions = listOf(options).map((option) => fieldsOf(option)['diagram'] ?? []);
  return [listOf(diagrams), ofOptions].flat(2).map((diagram) => {
    const { file, checksum } = fieldsOf(diagram);
    return { file: nameOf('diagram', file), checksum: checksumIn(checksum) };
  });
}

/** @throws RequestFailed when a body is not JSON, or is about something else */
function readObject(body: Buffer, expected: object): Readonly<Record<string, unknown>> {
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

/** The checksum of a diagram: over its bytes. */
export function diagramChecksum(bytes: Buffer): string {
  return shortChecksum(hash('sha256', bytes));
}
