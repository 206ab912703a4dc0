import { createHash } from 'node:crypto';
import { checksumOf, shortChecksum } from '../compile/checksum.ts';
import type { Client, Found } from './client.ts';
import { DamagedAnswer, PullStopped } from './errors.ts';
import { diagramPath, isName, paperPath, type Scope, scopeName, yearName } from './paths.ts';
import { quoted } from './words.ts';

/** What a copy takes from a shift summary (2.2 of the specification). */
export interface ShiftAnswer {
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

/** What a copy takes from a question file (2.3 of the specification). */
export interface PaperAnswer {
  readonly checksum: string;
  readonly diagrams: readonly DiagramAnswer[];
}

export interface DiagramAnswer {
  readonly file: string;
  readonly checksum: string;
}

/**
 * Reads the exam years resource (2.1).
 *
 * @returns the years, of which there is one at least
 * @throws DamagedAnswer when it is none, or another exam's
 */
export function readYears(body: Buffer, exam: string): readonly number[] {
  const answer = objectOf(parse(body));
  const years = listOf(answer['years'], 'years');
  if (answer['exam'] !== exam) throw new DamagedAnswer(`the answer is not about ${exam}`);
  if (years.length === 0) throw new DamagedAnswer(`the answer names no year of ${exam}`);
  return years.map((year) => {
    if (Number.isInteger(year) && Number(year) >= 0 && Number(year) <= 9999) return Number(year);
    throw new DamagedAnswer('the answer names a year that is none');
  });
}

/**
 * Reads the year shifts resource (2.2).
 *
 * @returns the shifts, of which there is one at least
 * @throws DamagedAnswer when it is none, another year's, or has a name that no file may have
 */
export function readShifts(body: Buffer, exam: string, year: number): readonly ShiftAnswer[] {
  const answer = objectOf(parse(body));
  const shifts = listOf(answer['shifts'], 'shifts').map(readShift);
  if (answer['exam'] !== exam || answer['year'] !== year)
    throw new DamagedAnswer(`the answer is not about ${exam} in ${year}`);
  if (shifts.length === 0) throw new DamagedAnswer(`the answer names no shift of ${exam} in ${year}`);
  if (new Set(shifts.map(({ shift }) => shift)).size < shifts.length)
    throw new DamagedAnswer('the answer names a shift twice');
  return shifts;
}

/**
 * Reads a question file (2.3), and holds its questions against its checksum.
 *
 * @throws DamagedAnswer when it is none, another paper's, or does not match its own checksum
 */
export function readPaper(body: Buffer, name: PaperName): PaperAnswer {
  const answer = objectOf(parse(body));
  for (const field of ['exam', 'year', 'shift', 'subject'] as const)
    if (answer[field] !== name[field]) throw new DamagedAnswer(`the paper is not that of ${name.subject}`);
  const questions = listOf(answer['questions'], 'questions');
  const { checksum } = objectOf(answer['metadata']);
  if (canonicalChecksum(questions) !== checksum)
    throw new DamagedAnswer('the questions do not match their checksum');
  return { checksum, diagrams: questions.flatMap((question) => readDiagrams(objectOf(question))) };
}

/** The checksum of a diagram: over its bytes. */
export function diagramChecksum(bytes: Buffer): string {
  return shortChecksum(createHash('sha256').update(bytes).digest('hex'));
}

/** The checksum of a shift: over those of its papers, by subject. */
export function shiftChecksum(papers: ReadonlyMap<string, { readonly checksum: string }>): string {
  return checksumOf(Object.fromEntries([...papers].map(([subject, { checksum }]) => [subject, checksum])));
}

function readShift(value: unknown): ShiftAnswer {
  const { shift, subjects, checksum } = objectOf(value);
  if (!isName('shift', shift)) throw new DamagedAnswer(`the answer has a shift named ${shown(shift)}`);
  const names = listOf(subjects, 'subjects').map((subject) => {
    if (isName('subject', subject)) return subject;
    throw new DamagedAnswer(`the answer has a subject named ${shown(subject)}`);
  });
  return { shift, subjects: [...new Set(names)], checksum: readChecksum(checksum) };
}

function readDiagrams({ diagrams }: Readonly<Record<string, unknown>>): DiagramAnswer[] {
  return listOf(diagrams, 'diagrams').map((diagram) => {
    const { file, checksum } = objectOf(diagram);
    if (isName('diagram', file)) return { file, checksum: readChecksum(checksum) };
    throw new DamagedAnswer(`the paper has a diagram named ${shown(file)}`);
  });
}

function readChecksum(value: unknown): string {
  if (typeof value === 'string' && /^[0-9a-f]{12}$/.test(value)) return value;
  throw new DamagedAnswer('the answer has a checksum that is none');
}

function canonicalChecksum(value: unknown): string {
  try {
    return checksumOf(value);
  } catch {
    // Half a surrogate pair, or nested deeper than the stack.
    throw new DamagedAnswer('the answer has no canonical form');
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new DamagedAnswer('the answer is not whole JSON');
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new DamagedAnswer('the answer does not have the shape of the specification');
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new DamagedAnswer(`the answer has no list of ${name}`);
}

/** What is no text has no name: even to make one of it could fail. */
function shown(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : 'by something that is no text';
}

/** A shift as the metadata of the service has it. */
export interface WantedShift {
  readonly exam: string;
  readonly year: number;
  readonly shift: string;
  /** `neet/2024/2024-05-05-s1`: its folder in the copy, and at the service. */
  readonly path: string;
  readonly subjects: readonly string[];
  readonly checksum: string;
}

/** A paper as it was served. */
export interface ServedPaper extends PaperAnswer {
  readonly bytes: Buffer;
  readonly etag: string | undefined;
}

export interface ServedDiagram {
  readonly bytes: Buffer;
  readonly checksum: string;
}

/** The four resources of a question bank that a copy needs, each checked as far as it can be by itself. */
export class Service {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Every shift of the scope. @throws PullStopped when the service has no such exam or year */
  async shifts({ exam, year }: Scope): Promise<readonly WantedShift[]> {
    const years = await this.#metadata({ exam, year: undefined }, (body) => readYears(body, exam));
    if (year === undefined) {
      const shifts: WantedShift[] = [];
      for (const one of years) shifts.push(...(await this.#shiftsOf(exam, one)));
      return shifts;
    }
    if (years.includes(year)) return this.#shiftsOf(exam, year);
    throw new PullStopped(
      `${this.#client.urlOf(`/${exam}`)}: ${exam} has no ${yearName(year)}; it has ${years.map(yearName).join(', ')}.`,
    );
  }

  /** @param etag of the paper as it is here, which then need not come again */
  paper(
    { exam, year, shift, path: folder }: WantedShift,
    subject: string,
    etag: string | undefined,
  ): Promise<ServedPaper | 'unchanged' | 'missing'> {
    const path = `/${paperPath(folder, subject)}`;
    return this.#client.get({ path, isProtected: true, etag }, (found) => {
      this.#insistOnJson(found, path);
      const paper = readPaper(found.body, { exam, year, shift, subject });
      return { ...paper, bytes: found.body, etag: etagOf(found) };
    });
  }

  async diagram({ path: folder }: WantedShift, file: string): Promise<ServedDiagram | 'missing'> {
    const path = `/${diagramPath(folder, file)}`;
    const answer = await this.#client.get({ path, isProtected: true }, ({ body }) => ({
      bytes: body,
      checksum: diagramChecksum(body),
    }));
    return answer === 'unchanged' ? 'missing' : answer;
  }

  async #shiftsOf(exam: string, year: number): Promise<readonly WantedShift[]> {
    const shifts = await this.#metadata({ exam, year }, (body) => readShifts(body, exam, year));
    return shifts.map(({ shift, subjects, checksum }) => {
      const path = `${exam}/${yearName(year)}/${shift}`;
      return { exam, year, shift, path, subjects, checksum };
    });
  }

  async #metadata<Value extends readonly unknown[]>(
    scope: Scope,
    read: (body: Buffer) => Value,
  ): Promise<Value> {
    const path = `/${scopeName(scope)}`;
    const answer = await this.#client.get({ path, isProtected: false }, (found) => {
      this.#insistOnJson(found, path);
      return read(found.body);
    });
    if (typeof answer !== 'string') return answer;
    throw new PullStopped(
      `${this.#client.urlOf(path)}: the service has no ${scopeName(scope)} (404). Is that the exam's code, and the address of the service?`,
    );
  }

  /** A page instead of data comes from somewhere else than a question bank, and will come again. */
  #insistOnJson({ fields }: Found, path: string): void {
    const type = fields['content-type'];
    if (typeof type === 'string' && /^application\/json\s*(;|$)/i.test(type)) return;
    const instead = typeof type === 'string' ? quoted(type) : 'of no type';
    throw new PullStopped(
      `${this.#client.urlOf(path)}: the answer is ${instead}, not JSON. Is that the address of the service, and nothing that asks to sign in before it?`,
    );
  }
}

/** @returns undefined when there is none that could be sent back */
function etagOf({ fields }: Found): string | undefined {
  const etag = fields['etag'];
  return typeof etag === 'string' && /^(W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(etag) ? etag : undefined;
}
