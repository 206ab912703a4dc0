/** Where a bank reads from: a service, or files. */
import type { ExamList } from '../release/resources.ts';
import type { Connection } from './connection.ts';
import { PastpaperError, RequestFailed } from './errors.ts';
import { type Files, unpack } from './pack.ts';
import {
  listIn,
  readObject,
  readPaper,
  readYear,
  readYears,
  type Year,
  yearPath,
} from './resources.ts';

/** What a question is found and selected by: `/{exam}/{year}/questions.json`. */
export interface IndexEntry {
  readonly id: string;
  readonly shift: string;
  readonly subject: string;
  readonly type: string;
  readonly topic: string;
  readonly difficulty: string;
  readonly dropped?: boolean | undefined;
}

/** What a bank needs of a place that has papers. All throw PastpaperError. */
export interface Source {
  exams(): Promise<ExamList>;
  years(exam: string): Promise<number[]>;
  year(exam: string, year: number): Promise<Year>;
  /** The questions of a year. */
  index(year: Year): Promise<readonly IndexEntry[]>;
  /** All files of a year; undefined if there is no pack, or the files are at hand anyway. */
  pack(year: Year): Promise<Files | undefined>;
  /** The bytes of a paper or diagram. @param read throws RequestFailed when they are damaged */
  file<Value>(path: string, read: (body: Uint8Array) => Value): Promise<Value>;
  /** `/changes.json`; undefined if there is none. */
  changes(): Promise<Readonly<Record<string, unknown>> | undefined>;
}

function notFound(what: string, help: string): PastpaperError {
  return new PastpaperError('not-found', `${what} does not exist (404). ${help}`);
}

export function serviceSource(connection: Connection): Source {
  const json = <Value>(path: string, read: (body: Uint8Array) => Value) =>
    connection.get({ path, isProtected: false, kind: 'json', read });
  const address = 'Check the address of the service.';
  return {
    async exams() {
      const list = await json('exams.json', (body) => {
        const value = readObject(body);
        listIn(value['exams']);
        return value as unknown as ExamList;
      });
      if (list) return list;
      throw notFound(connection.urlOf('exams.json'), address);
    },
    async years(exam) {
      const years = await json(exam, (body) => readYears(body, exam));
      if (years) return years.map(Number);
      throw notFound(connection.urlOf(exam), `Check the exam code. ${address}`);
    },
    async year(exam, year) {
      const path = yearPath(exam, year);
      const found = await json(path, (body) => readYear(body, exam, year));
      if (found) return found;
      const years = (await this.years(exam)).join(', ');
      throw notFound(connection.urlOf(path), `The years of ${exam}: ${years}.`);
    },
    async index({ path, summary: { exam, year } }) {
      const index = `${path}/questions.json`;
      const entries = await json(
        index,
        (body) => listIn(readObject(body, { exam, year })['questions']) as readonly IndexEntry[],
      );
      if (entries) return entries;
      throw notFound(connection.urlOf(index), address);
    },
    pack: ({ path }) =>
      connection.get({ path: `${path}/all.zip`, isProtected: true, kind: 'pack', read: unpack }),
    async file(path, read) {
      const kind = path.endsWith('.json') ? 'json' : 'file';
      const value = await connection.get({ path, isProtected: true, kind, read });
      if (value !== undefined) return value;
      throw notFound(connection.urlOf(path), 'The papers of a shift: bank.papers(path).');
    },
    changes: () => json('changes.json', (body) => readObject(body)),
  };
}

/**
 * The papers in files: of a mirror, or of a pack.
 *
 * @param name of the folder or file, for messages
 * @throws PastpaperError when there are no papers
 */
export function fileSource(
  name: string,
  paths: readonly string[],
  readFile: (path: string) => Promise<Uint8Array>,
): Source {
  const papers = paths.filter((path) => path.endsWith('.json') && !path.endsWith('/index.json'));
  if (papers.length === 0)
    throw new PastpaperError(
      'input',
      `${name} has no papers. Open the address of a service, the folder of a mirror, or a pack (.zip).`,
    );
  const among = (prefix: string) => papers.filter((path) => path.startsWith(prefix));
  const parts = (prefix: string) => {
    const depth = prefix.split('/').length - 1;
    return [...new Set(among(prefix).map((path) => path.split('/')[depth] ?? ''))].sort();
  };
  const missing = (path: string) =>
    new PastpaperError('not-found', `${name} has no ${path}. What it has: bank.papers(exam).`);
  async function read<Value>(path: string, parse: (body: Uint8Array) => Value): Promise<Value> {
    if (!paths.includes(path)) throw missing(path);
    try {
      return parse(await readFile(path));
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      throw new PastpaperError(
        'damaged',
        `${name}: ${path}: ${error.message.replace('response', 'file')}. Run sync again.`,
      );
    }
  }
  const source: Source = {
    async exams() {
      const exams = await Promise.all(
        parts('').map(async (exam) => ({
          exam,
          label: exam,
          years: await source.years(exam),
          url: `/${exam}`,
        })),
      );
      return { exams };
    },
    years: async (exam) => parts(`${exam}/`).map(Number).reverse(),
    async year(exam, year) {
      const path = yearPath(exam, year);
      if (among(`${path}/`).length === 0) throw missing(path);
      return read(`${path}/index.json`, (body) => readYear(body, exam, year));
    },
    async index({ shifts }) {
      const entries: IndexEntry[] = [];
      for (const { path, shift, subjects } of shifts)
        for (const subject of subjects) {
          const file = `${path}/${subject}.json`;
          // A pack may have one shift of the year.
          if (!paths.includes(file)) continue;
          const paper = await read(file, (body) => readPaper(body, file));
          for (const question of paper.file.questions)
            entries.push({ ...question, shift, subject });
        }
      return entries;
    },
    pack: async () => undefined,
    file: read,
    changes: async () => undefined,
  };
  return source;
}
