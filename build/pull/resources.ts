import { createHash } from 'node:crypto';
import { checksumOf, shortChecksum } from '../compile/checksum.ts';
import type { Client, Found } from './client.ts';
import { DamagedResponse, PullStopped, quoted } from './errors.ts';
import { diagramPath, isSafeName, paperPath, type Scope, scopeName, yearName } from './paths.ts';

/** A shift as the metadata of the service describes it. */
export interface ShiftMetadata extends ShiftSummary {
  readonly exam: string;
  readonly year: number;
  /** `neet/2024/2024-05-05-s1`: its folder in the mirror, and its path at the service. */
  readonly path: string;
}

/** What a mirror needs of a shift summary (2.2 of the specification). */
interface ShiftSummary {
  readonly shift: string;
  readonly subjects: readonly string[];
  readonly checksum: string;
}

/** What identifies a paper. */
export interface PaperName {
  readonly exam: string;
  readonly year: number;
  readonly shift: string;
  readonly subject: string;
}

/** What a mirror needs of a question file (2.3 of the specification). */
export interface PaperContent {
  readonly checksum: string;
  readonly diagrams: readonly DiagramReference[];
}

export interface DiagramReference {
  readonly file: string;
  readonly checksum: string;
}

interface DownloadedPaper extends PaperContent {
  readonly bytes: Buffer;
  readonly etag: string | undefined;
}

interface DownloadedDiagram {
  readonly bytes: Buffer;
  readonly checksum: string;
}

/** The four resources of a question bank that a mirror needs, each validated as far as it can be on its own. */
export class QuestionBank {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Every shift of the scope. @throws PullStopped when the service has no such exam or year */
  async shifts({ exam, year }: Scope): Promise<readonly ShiftMetadata[]> {
    const years = await this.#metadata({ exam, year: undefined }, (body) => readYears(body, exam));
    if (year !== undefined && !years.includes(year))
      throw new PullStopped(
        `${this.#client.urlOf(`/${exam}`)}: ${exam} has no ${yearName(year)}; it has ${years.map(yearName).join(', ')}.`,
      );
    const shifts: ShiftMetadata[] = [];
    for (const wanted of year === undefined ? years : [year]) {
      const summaries = await this.#metadata({ exam, year: wanted }, (body) =>
        readShifts(body, exam, wanted),
      );
      for (const summary of summaries)
        shifts.push({ ...summary, exam, year: wanted, path: `${exam}/${yearName(wanted)}/${summary.shift}` });
    }
    return shifts;
  }

  /** @param etag of the local paper, which is then not downloaded again */
  paper(
    { exam, year, shift, path: folder }: ShiftMetadata,
    subject: string,
    etag: string | undefined,
  ): Promise<DownloadedPaper | 'unchanged' | 'missing'> {
    const path = `/${paperPath(folder, subject)}`;
    return this.#client.get({ path, isProtected: true, etag }, (found) => {
      this.#requireJson(found, path);
      const paper = readPaper(found.body, { exam, year, shift, subject });
      return { ...paper, bytes: found.body, etag: etagOf(found) };
    });
  }

  async diagram({ path: folder }: ShiftMetadata, file: string): Promise<DownloadedDiagram | 'missing'> {
    const path = `/${diagramPath(folder, file)}`;
    const diagram = await this.#client.get({ path, isProtected: true }, ({ body }) => ({
      bytes: body,
      checksum: diagramChecksum(body),
    }));
    return diagram === 'unchanged' ? 'missing' : diagram;
  }

  async #metadata<Value extends readonly unknown[]>(
    scope: Scope,
    read: (body: Buffer) => Value,
  ): Promise<Value> {
    const path = `/${scopeName(scope)}`;
    const value = await this.#client.get({ path, isProtected: false }, (found) => {
      this.#requireJson(found, path);
      return read(found.body);
    });
    if (typeof value !== 'string') return value;
    throw new PullStopped(
      `${this.#client.urlOf(path)}: the service has no ${scopeName(scope)} (404). Is that the exam's code, and the address of the service?`,
    );
  }

  /** A page in place of data comes from something other than a question bank: a retry does not help. */
  #requireJson({ fields }: Found, path: string): void {
    const type = fields['content-type'];
    if (typeof type === 'string' && /^application\/json\s*(;|$)/i.test(type)) return;
    const actual = typeof type === 'string' ? quoted(type) : 'of no type';
    throw new PullStopped(
      `${this.#client.urlOf(path)}: the response is ${actual}, not JSON. Is that the address of the service, and nothing that asks to sign in before it?`,
    );
  }
}

/** @returns undefined without an ETag that can be sent back */
function etagOf({ fields }: Found): string | undefined {
  const etag = fields['etag'];
  return typeof etag === 'string' && /^(W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(etag) ? etag : undefined;
}

/** Reads the exam years resource (2.1). @returns at least one year @throws DamagedResponse */
function readYears(body: Buffer, exam: string): readonly number[] {
  const resource = objectOf(parse(body));
  const years = listOf(resource['years'], 'years');
  if (resource['exam'] !== exam) throw new DamagedResponse(`the response is not about ${exam}`);
  if (years.length === 0) throw new DamagedResponse(`the response names no year of ${exam}`);
  return years.map((year) => {
    if (Number.isInteger(year) && Number(year) >= 0 && Number(year) <= 9999) return Number(year);
    throw new DamagedResponse('the response names a year that is none');
  });
}

/**
 * Reads the year shifts resource (2.2).
 *
 * @returns at least one shift
 * @throws DamagedResponse when it is invalid, another year's, or has a name that is not safe as a file name
 */
function readShifts(body: Buffer, exam: string, year: number): readonly ShiftSummary[] {
  const resource = objectOf(parse(body));
  const shifts = listOf(resource['shifts'], 'shifts').map(readShift);
  if (resource['exam'] !== exam || resource['year'] !== year)
    throw new DamagedResponse(`the response is not about ${exam} in ${year}`);
  if (shifts.length === 0) throw new DamagedResponse(`the response names no shift of ${exam} in ${year}`);
  if (new Set(shifts.map(({ shift }) => shift)).size < shifts.length)
    throw new DamagedResponse('the response names a shift twice');
  return shifts;
}

function readShift(value: unknown): ShiftSummary {
  const { shift, subjects, checksum } = objectOf(value);
  if (!isSafeName('shift', shift))
    throw new DamagedResponse(`the response has a shift named ${shown(shift)}`);
  const names = listOf(subjects, 'subjects').map((subject) => {
    if (isSafeName('subject', subject)) return subject;
    throw new DamagedResponse(`the response has a subject named ${shown(subject)}`);
  });
  return { shift, subjects: [...new Set(names)], checksum: readChecksum(checksum) };
}

/**
 * Reads a question file (2.3), and compares its questions with its checksum.
 *
 * @throws DamagedResponse when it is invalid, another paper's, or does not match its own checksum
 */
export function readPaper(body: Buffer, name: PaperName): PaperContent {
  const resource = objectOf(parse(body));
  for (const field of ['exam', 'year', 'shift', 'subject'] as const)
    if (resource[field] !== name[field])
      throw new DamagedResponse(`the paper is not that of ${name.subject}`);
  const questions = listOf(resource['questions'], 'questions');
  const { checksum } = objectOf(resource['metadata']);
  if (canonicalChecksum(questions) !== checksum)
    throw new DamagedResponse('the questions do not match their checksum');
  return { checksum, diagrams: questions.flatMap((question) => readDiagrams(objectOf(question))) };
}

function readDiagrams({ diagrams }: Readonly<Record<string, unknown>>): DiagramReference[] {
  return listOf(diagrams, 'diagrams').map((diagram) => {
    const { file, checksum } = objectOf(diagram);
    if (isSafeName('diagram', file)) return { file, checksum: readChecksum(checksum) };
    throw new DamagedResponse(`the paper has a diagram named ${shown(file)}`);
  });
}

function readChecksum(value: unknown): string {
  if (typeof value === 'string' && /^[0-9a-f]{12}$/.test(value)) return value;
  throw new DamagedResponse('the response has a checksum that is none');
}

/** The checksum of a diagram: over its bytes. */
export function diagramChecksum(bytes: Buffer): string {
  return shortChecksum(createHash('sha256').update(bytes).digest('hex'));
}

/** The checksum of a shift: over those of its papers, by subject. */
export function shiftChecksum(papers: ReadonlyMap<string, { readonly checksum: string }>): string {
  return checksumOf(Object.fromEntries([...papers].map(([subject, { checksum }]) => [subject, checksum])));
}

function canonicalChecksum(value: unknown): string {
  try {
    return checksumOf(value);
  } catch {
    // A lone surrogate, or values nested deeper than the stack.
    throw new DamagedResponse('the response has no canonical form');
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new DamagedResponse('the response is not whole JSON');
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new DamagedResponse('the response does not have the shape of the specification');
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new DamagedResponse(`the response has no list of ${name}`);
}

/** Formats an invalid name. Converting a value that is not a string could throw. */
function shown(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : 'by something that is no text';
}
