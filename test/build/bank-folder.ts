import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ExamFile, Question, SubjectFile } from '../../build/content/written.ts';
import { withValue } from './json-pointer.ts';
import questions from './sample-questions.json' with { type: 'json' };

const root = await mkdtemp(join(tmpdir(), 'pastpaper-build-'));
// Thousands of files: the program needs a tenth of the time of `rmSync`.
process.once('exit', () => spawnSync('rm', ['-rf', root]));
let count = 0;

/** The current time in tests of the build, by default. */
export const testNow = new Date('2026-02-01T00:00:00Z');

/** Creates an empty folder. It is removed when the process exits. */
export async function temporaryFolder(): Promise<string> {
  count += 1;
  const folder = join(root, String(count));
  await mkdir(folder);
  return folder;
}

/** A valid question of each type, without optional fields. */
export const sampleQuestions = questions as Readonly<Record<Question['type'], Question>>;

export const sampleExam: ExamFile = {
  label: 'NEET',
  subjects: ['physics', 'chemistry', 'biology'],
};

/** A subject file with these questions. */
export function paperOf(...questions: readonly Question[]): SubjectFile {
  return { lastUpdated: '2024-06-01T10:00:00Z', questions };
}

/** The exam, shift and paper of the bank of `makeBank`. */
export const examPath = 'neet/exam.json';
export const shiftPath = 'neet/2024/2024-05-05-s1';
export const paperPath = `${shiftPath}/physics.json`;

/** The content of a file: bytes, text, or a value that is written as JSON. */
export type FileContent = Uint8Array | string | object;
export type Files = Readonly<Record<string, FileContent>>;

/** A content folder on disk. Paths are relative to it. */
export class BankFolder {
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async write(path: string, content: FileContent): Promise<void> {
    const file = join(this.dir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytesOf(content));
  }

  /** Sets the value of a JSON pointer. `undefined` removes it. */
  async set(path: string, pointer: string, value: unknown): Promise<void> {
    const file: unknown = JSON.parse(await readFile(join(this.dir, path), 'utf8'));
    await this.write(path, textOf(withValue(file, pointer, value)));
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.dir, path), { recursive: true });
  }
}

/** Creates a folder and writes these files in order. */
export async function makeFolderOf(files: Files): Promise<BankFolder> {
  const bank = new BankFolder(await temporaryFolder());
  for (const [path, content] of Object.entries(files)) await bank.write(path, content);
  return bank;
}

/** Creates the smallest valid bank, with one question. `files` are added, or replace its files. */
export function makeBank(files: Files = {}): Promise<BankFolder> {
  return makeFolderOf({
    [examPath]: sampleExam,
    [paperPath]: paperOf(sampleQuestions.mcq),
    ...files,
  });
}

/** The bytes or text of a file. */
export function bytesOf(content: FileContent): Uint8Array | string {
  return typeof content === 'string' || content instanceof Uint8Array ? content : textOf(content);
}

/** Writes one value per line, so that values have different lines in a report. */
function textOf(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
