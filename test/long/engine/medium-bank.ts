import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { ExamFile, Question, SubjectFile } from '../../../build/content/written.ts';
import {
  BankFolder,
  type Files,
  paperOf,
  sampleQuestions,
  temporaryFolder,
} from '../../build/bank-folder.ts';
import { svg } from '../../build/image-bytes.ts';

const subjects = ['physics', 'chemistry', 'biology'];

/**
 * Content of two exams and eight years, by default 243 papers: enough to be processed in worker threads, even when a
 * year is removed.
 */
export function mediumBank(shifts = 80): Files {
  const exams: Files = {
    'jeemain/exam.json': { label: 'JEE Main', subjects: ['mathematics'] },
    'neet/exam.json': { label: 'NEET', subjects },
  };
  const papers = Array.from({ length: shifts }, (_, number) => {
    const [year, day] = [2016 + (number % 8), String((number % 28) + 1).padStart(2, '0')];
    const shift = `neet/${year}/${year}-05-${day}-s${Math.floor(number / 28) + 1}`;
    return subjects.map((subject, place) =>
      paperFiles(shift, subject, number * subjects.length + place),
    );
  });
  const other = [1, 2, 3].map((number) =>
    paperFiles(`jeemain/2024/2024-01-27-s${number}`, 'mathematics', 1000 + number),
  );
  return Object.assign({}, exams, ...papers.flat(), ...other);
}

/**
 * A paper of two questions, and its diagrams.
 *
 * @param number makes its questions unique
 */
function paperFiles(shift: string, subject: string, number: number): Files {
  const questions = [2 * number, 2 * number + 1].map(questionOf);
  const drawings = questions.flatMap(({ diagrams = [] }) => diagrams.map(({ file }) => file));
  return {
    [`${shift}/${subject}.json`]: paperOf(...questions),
    ...Object.fromEntries(
      drawings.map((file) => [`${shift}/diagrams/${file}`, svg(100 + (number % 5000), 50)]),
    ),
  };
}

/** A question; the types alternate, and every seventh has a diagram. */
function questionOf(number: number): Question {
  const kind = (['mcq', 'msq', 'numerical'] as const)[number % 3] ?? 'mcq';
  const id = `q${number}`;
  return {
    ...sampleQuestions[kind],
    id,
    question: `Case ${number}: what does a pendulum of length $${number}\\,\\mathrm{m}$ show on the moon?`,
    topic: `Topic ${number % 5}`,
    ...(number % 7 === 0 && {
      diagrams: [{ file: `${id}-drawing.svg`, alt: `Pendulum ${number}.` }],
    }),
  };
}

/** A content folder that is updated as by an editor: unchanged files are not written. */
export class ContentFolder extends BankFolder {
  #files: Files = {};

  /** A new folder with these files. */
  static async of(files: Files): Promise<ContentFolder> {
    const folder = new ContentFolder(await temporaryFolder());
    await folder.update(files);
    return folder;
  }

  /** Makes these files the content of the folder. */
  async update(files: Files): Promise<void> {
    const before = this.#files;
    this.#files = files;
    for (const path of Object.keys(before))
      if (!Object.hasOwn(files, path)) await this.#removeFile(path);
    for (const [path, content] of Object.entries(files))
      if (before[path] !== content) await this.write(path, content);
  }

  /** Removes a file and empty folders above it, as in a working tree of Git. */
  async #removeFile(path: string): Promise<void> {
    await rm(join(this.dir, path));
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      if ((await readdir(join(this.dir, folder))).length > 0) return;
      await rmdir(join(this.dir, folder));
    }
  }
}

/** Returns the content with one change. */
type Edit = (files: Files, which: number) => Files;

/** Edits of a bank between two builds. `which` selects the file or question. */
const edits = {
  'reword a question': (files, which) =>
    withQuestion(files, which, (question) => ({
      ...question,
      question: `${question.question} (${which})`,
    })),
  'replace a diagram': (files, which) => ({
    ...files,
    [oneOf(pathsOf(files, /\.svg$/), which)]: svg(7, 1 + (which % 4000)),
  }),
  'remove a shift': (files, which) => without(files, oneOf(shiftsOf(files), which)),
  'rename a shift': (files, which) => {
    const shift = oneOf(shiftsOf(files), which);
    return moved(files, shift, `${shift}${10 + (which % 90)}`);
  },
  'add a shift': (files, which) => ({
    ...files,
    ...paperFiles(newShift('neet', which), 'physics', which),
  }),
  'add an exam': (files, which) => ({
    ...files,
    ...paperFiles(newShift(`exam${which}`, which), 'biology', which),
    [`exam${which}/exam.json`]: { label: `Exam ${which}`, subjects: ['biology'] },
  }),
  'relabel an exam': (files, which) => {
    const path = oneOf(pathsOf(files, /exam\.json$/), which);
    return { ...files, [path]: { ...(files[path] as ExamFile), label: `Label ${which}` } };
  },
  'reorder subjects': (files) => {
    const exam = files['neet/exam.json'] as ExamFile;
    return { ...files, 'neet/exam.json': { ...exam, subjects: [...exam.subjects].reverse() } };
  },
  nothing: (files) => files,
} satisfies Record<string, Edit>;

/** The content after each of the edits, in an order and at places that depend on the seed. */
export function editedContents(
  start: Files,
  seed: number,
): { readonly name: string; readonly files: Files }[] {
  const names = Object.keys(edits) as (keyof typeof edits)[];
  const script = fc.tuple(
    fc.shuffledSubarray(names, { minLength: names.length }),
    fc.uniqueArray(fc.integer({ min: 5000, max: 9999 }), { minLength: names.length }),
  );
  const [[order, places] = [[], []]] = fc.sample(script, { seed, numRuns: 1 });
  let files = start;
  return order.map((name, index) => {
    files = edits[name](files, places[index] ?? 0);
    return { name, files };
  });
}

function oneOf(paths: readonly string[], which: number): string {
  return paths[which % paths.length] ?? '';
}

function pathsOf(files: Files, pattern: RegExp): string[] {
  return Object.keys(files).filter((path) => pattern.test(path));
}

function papersOf(files: Files): string[] {
  return pathsOf(files, /^(?:[^/]+\/){3}[^/]+\.json$/);
}

/** `neet/2024/2024-05-05-s1` */
function shiftsOf(files: Files): string[] {
  return [...new Set(papersOf(files).map((path) => path.slice(0, path.lastIndexOf('/'))))];
}

/** A shift in 2025. */
function newShift(exam: string, which: number): string {
  const date = new Date(Date.UTC(2025, 0, 1 + (which % 365))).toISOString().slice(0, 10);
  return `${exam}/2025/${date}-s1`;
}

function withQuestion(
  files: Files,
  which: number,
  change: (question: Question) => Question,
): Files {
  const path = oneOf(papersOf(files), which);
  const paper = files[path] as SubjectFile;
  const questions = paper.questions.map((question, index) =>
    index === which % paper.questions.length ? change(question) : question,
  );
  return { ...files, [path]: { ...paper, questions } };
}

/** Removes files, and exams without papers. */
function without(files: Files, place: string): Files {
  const left = Object.entries(files).filter(([path]) => !path.startsWith(place));
  const exams = new Set(papersOf(Object.fromEntries(left)).map(examOf));
  return Object.fromEntries(left.filter(([path]) => exams.has(examOf(path))));
}

function examOf(path: string): string {
  return path.slice(0, path.indexOf('/'));
}

function moved(files: Files, from: string, to: string): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) =>
      path.startsWith(`${from}/`) ? [to + path.slice(from.length), content] : [path, content],
    ),
  );
}
