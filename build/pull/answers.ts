import { createHash } from 'node:crypto';
import { checksumOf, shortChecksum } from '../compile/checksum.ts';
import { DamagedAnswer } from './failure.ts';
import { isName } from './paths.ts';
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
