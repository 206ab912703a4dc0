import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ExamFile, Question, SubjectFile } from '../../build/content/types.ts';
import type { QuestionType } from '../../build/release/resources.ts';

const root = await mkdtemp(join(tmpdir(), 'pastpaper-build-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));
let made = 0;

/** A new empty folder, which goes away with the process's last test. */
export async function temporaryFolder(): Promise<string> {
  made += 1;
  const folder = join(root, String(made));
  await mkdir(folder);
  return folder;
}

/** A valid question of each type; none has a field that may be left out. */
export const sampleQuestions: Readonly<Record<QuestionType, Question>> = {
  mcq: {
    id: 'q1',
    type: 'mcq',
    question: 'Which of these is a unit of length?',
    options: [
      { key: 'A', value: 'metre' },
      { key: 'B', value: 'second' },
    ],
    answer: 'A',
    topic: 'Units',
    difficulty: 'easy',
  },
  msq: {
    id: 'q1',
    type: 'msq',
    question: 'Which of these are vectors?',
    options: [
      { key: 'A', value: 'velocity' },
      { key: 'B', value: 'speed' },
      { key: 'C', value: 'force' },
    ],
    answer: 'A,C',
    topic: 'Vectors',
    difficulty: 'medium',
  },
  numerical: {
    id: 'q1',
    type: 'numerical',
    question: 'What is the square of $-1.5$?',
    options: [],
    answer: '2.25',
    topic: 'Powers',
    difficulty: 'hard',
  },
};

export const sampleExam: ExamFile = { label: 'NEET', subjects: ['physics', 'chemistry', 'biology'] };

/** A subject file of these questions. */
export function paperOf(...questions: readonly Question[]): SubjectFile {
  return { lastUpdated: '2024-06-01T10:00:00Z', questions };
}

/** The one exam, shift and paper of a bank that is made without saying otherwise. */
export const examPath = 'neet/exam.json';
export const shiftPath = 'neet/2024/2024-05-05-s1';
export const paperPath = `${shiftPath}/physics.json`;

/** What a file holds: its bytes, its text, or a value that is written as JSON. */
export type FileContent = Uint8Array | string | object;
export type Files = Readonly<Record<string, FileContent>>;

/** A content folder on disk. Paths are those inside it. */
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

  /** Sets the value that a JSON pointer names; `undefined` leaves it out. */
  async set(path: string, pointer: string, value: unknown): Promise<void> {
    const file: unknown = JSON.parse(await readFile(join(this.dir, path), 'utf8'));
    await this.write(path, textOf(withValue(file, pointer, value)));
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.dir, path), { recursive: true });
  }
}

/** A folder with these files, written one after the other in this order. */
export async function makeFolderOf(files: Files): Promise<BankFolder> {
  const bank = new BankFolder(await temporaryFolder());
  for (const [path, content] of Object.entries(files)) await bank.write(path, content);
  return bank;
}

/** The smallest valid bank, one question of one paper, and beside or instead of its files those given. */
export function makeBank(files: Files = {}): Promise<BankFolder> {
  return makeFolderOf({ [examPath]: sampleExam, [paperPath]: paperOf(sampleQuestions.mcq), ...files });
}

function bytesOf(content: FileContent): Uint8Array | string {
  return typeof content === 'string' || content instanceof Uint8Array ? content : textOf(content);
}

/** One value a line, so that the lines of a report can be told from one another. */
function textOf(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function withValue(file: unknown, pointer: string, value: unknown): unknown {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = names.pop();
  if (last === undefined) return value;
  let holder = file as Record<string, unknown>;
  for (const name of names) holder = holder[name] as Record<string, unknown>;
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return file;
}
