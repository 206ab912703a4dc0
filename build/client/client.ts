/**
 * `pastpaper/client` and `/docs/client.mjs`: reads the papers of a question bank, from its API, from a mirror or from a pack.
 * For Node.js, Deno, Bun and browsers.
 */
import type {
  ExamSummary,
  IndexedQuestion,
  Passage,
  Question,
  QuestionFile,
  QuestionIndex,
  ShiftSummary,
} from '../release/resources.ts';
import { baseUrlOf, checkedKey } from './access.ts';
import { checksum } from './checksums.ts';
import { type Connection, connect, type Read, type Source } from './connection.ts';
import { PastpaperError } from './errors.ts';
import { fileSource } from './files.ts';
import { readMirror } from './mirror-folder.ts';
import { type Files, unpack } from './pack.ts';
import { reportAddress } from './report.ts';
import {
  type Paper,
  paperPaths,
  readExams,
  readJson,
  readPaper,
  readYear,
  readYears,
  scopePattern,
  type Year,
  yearPath,
} from './resources.ts';
import { score } from './score.ts';
import { drawnOrder, type Filter } from './select.ts';
import { type SyncResult, synchronize } from './sync.ts';

export { type ErrorCode, PastpaperError } from './errors.ts';
export { score, scoreSection } from './score.ts';
export { type Filter, selectQuestions } from './select.ts';
export type { SyncResult } from './sync.ts';

/** Papers of one year that are requested one by one. If more are needed, one request brings the whole year. */
const mostPapers = 2;

/** The place of a question or paper. */
export interface Place {
  readonly exam: string;
  readonly year: number;
  readonly shift: string;
  readonly subject: string;
}

/** Which questions to select. */
export interface Selection extends Filter {
  /** All exams if undefined. */
  readonly exam?: string | undefined;
  /** All years if undefined. */
  readonly years?: readonly number[] | undefined;
  readonly subject?: string | readonly string[] | undefined;
}

/** What a question is found and selected by. */
type Entry = Omit<IndexedQuestion, 'checksum'>;

/** A release, and the questions that it changed. */
export interface Change {
  /** The id of the release. */
  readonly id: string;
  /** ISO 8601 in UTC. */
  readonly date: string;
  /** The papers that changed. Of a paper with many changes, there are counts in place of lists. */
  readonly papers: readonly (Place & {
    readonly added: readonly string[] | number;
    readonly removed: readonly string[] | number;
    readonly changed:
      | readonly { readonly id: string; readonly fields: readonly string[] }[]
      | number;
  })[];
}

/** An item of `/changes.json`. */
interface FeedItem {
  readonly id: string;
  readonly date_published: string;
  readonly _pastpaper?: Pick<Change, 'papers'>;
}

/**
 * The papers of a bank. Requests stay within the limits of the account, and are retried where that helps. Everything is
 * requested once: open the bank again to see a new release. Every error is a `PastpaperError`.
 */
export class Bank {
  readonly #source: Source;
  readonly #connection: Connection | undefined;
  readonly #kept = new Map<string, Promise<unknown>>();
  readonly #places = new Map<string, Place>();

  private constructor(source: Source, connection?: Connection) {
    this.#source = source;
    this.#connection = connection;
  }

  /**
   * Opens a bank. Nothing is requested yet.
   *
   * @param source the address of a service, the folder of a mirror, or a pack: the path or bytes of a ZIP file
   * @param options `key`: for questions of a service; default: the environment variable API_KEY
   */
  static async open(
    source: string | Uint8Array | Blob,
    { key = environmentKey() }: { readonly key?: string | undefined } = {},
  ): Promise<Bank> {
    if (source instanceof Blob) return Bank.open(new Uint8Array(await source.arrayBuffer()));
    if (typeof source !== 'string') return Bank.#ofPack('The pack', source);
    if (/^https?:/i.test(source)) {
      const connection = connect(baseUrlOf(source), key && checkedKey(key));
      return new Bank(connection, connection);
    }
    try {
      if (source.endsWith('.zip')) {
        const { readFile } = await import('node:fs/promises');
        return Bank.#ofPack(source, await readFile(source));
      }
      const { paths, read } = await readMirror(source);
      return new Bank(fileSource(source, paths, read));
    } catch (error) {
      if (error instanceof PastpaperError) throw error;
      throw new PastpaperError(
        'input',
        `"${source}" is not the address of a service (https://api.example.org), and cannot be read as the folder of a mirror ` +
          `or a pack: ${(error as Error).message}.`,
      );
    }
  }

  static #ofPack(name: string, zip: Uint8Array): Bank {
    const files = orDamaged(name, () => unpack(zip));
    const read = async (path: string) => files.get(path) ?? new Uint8Array();
    return new Bank(fileSource(name, [...files.keys()], read));
  }

  /** The exams of the bank, with their years. */
  async exams(): Promise<readonly ExamSummary[]> {
    return (await this.#list()).exams;
  }

  /** The years of an exam, newest first. */
  years(exam: string): Promise<readonly number[]> {
    requireName(scopePattern, exam, 'an exam, such as neet');
    const read = (body: Uint8Array) => readYears(body, exam);
    return this.#once(exam, () => this.#get(exam, read, 'Check the exam code.'));
  }

  /** The shifts of a year in chronological order, as the API describes them. */
  async shifts(exam: string, year: number): Promise<readonly ShiftSummary[]> {
    return (await this.#year(exam, year)).summary.shifts;
  }

  /**
   * Lists papers and their translations by shift. This counts towards no limit.
   *
   * @param scope an exam, a year or a shift by any of its names: `neet`, `neet/2024`, `neet/2024/s1`
   * @returns their paths: `neet/2024/2024-05-05-s1/physics`
   */
  async papers(scope: string): Promise<string[]> {
    const form = /^[a-z][a-z0-9]*(?:\/\d{4}(?:\/[^/]+)?)?$/;
    requireName(form, scope, 'an exam, a year or a shift, such as neet/2024');
    const [exam = '', wanted, name] = scope.split('/');
    const years = wanted === undefined ? await this.years(exam) : [Number(wanted)];
    const paths: string[] = [];
    for (const each of years) {
      const year = await this.#year(exam, each);
      const shifts =
        name === undefined
          ? year.shifts
          : year.shifts.filter(({ path }) => path === resolveShift(year, name));
      paths.push(...shifts.flatMap(paperPaths));
    }
    return paths.map((path) => path.slice(0, -'.json'.length));
  }

  /** Reads a paper, and verifies its checksum. @param path with any name of the shift: `neet/2024/s1/physics` */
  async paper(path: string): Promise<QuestionFile> {
    const form = /^[a-z][a-z0-9]*\/\d{4}\/[^/]+\/[A-Za-z0-9.-]+$/;
    requireName(form, path, 'the path of a paper, such as neet/2024/s1/physics');
    const [exam = '', year, shift = '', name] = path.replace(/\.json$/, '').split('/');
    const ofYear = await this.#year(exam, Number(year));
    return this.#paper(`${resolveShift(ofYear, shift)}/${name}.json`);
  }

  /** Finds a question by its id. */
  async question(id: string): Promise<Question> {
    const place = this.#places.get(id);
    if (place) return this.#questionAt(place, id);
    const years = (await this.exams()).flatMap(({ exam, years }) =>
      years.map((year) => ({ exam, year })),
    );
    // Ids often name their exam and year.
    const likely = ({ exam, year }: (typeof years)[number]) =>
      Number(id.includes(exam)) * 2 + Number(id.includes(String(year)));
    for (const { exam, year } of years.sort((a, b) => likely(b) - likely(a))) {
      const entry = (await this.#index(exam, year)).find((one) => one.id === id);
      if (entry) return this.#questionAt({ exam, year, ...entry }, id);
    }
    throw new PastpaperError('not-found', `The bank has no question "${id}". Check the id.`);
  }

  /**
   * Selects questions. The same seed gives the same questions, in every language. Dropped questions are left out.
   *
   * @returns in the order of the papers; with a count or seed, in random order
   */
  async select({ exam, years, subject, ...filter }: Selection = {}): Promise<Question[]> {
    const exams = exam === undefined ? (await this.exams()).map((one) => one.exam) : [exam];
    const entries: (Entry & Place)[] = [];
    for (const code of exams)
      for (const year of new Set(years ?? (await this.years(code))))
        for (const entry of await this.#index(code, Number(year)))
          if (subject === undefined || [subject].flat().includes(entry.subject))
            entries.push({ ...entry, exam: code, year: Number(year) });
    const order = drawnOrder(entries, filter);
    await this.#prepare(order.slice(0, filter.count));
    const selected: Question[] = [];
    for (const entry of order) {
      if (selected.length === filter.count) break;
      const question = await this.#questionAt(entry, entry.id);
      if (!question.dropped) selected.push(question);
    }
    return selected;
  }

  /** The marks that a response gets, as `score`. */
  score(question: Question, response: string | undefined): number {
    return score(question, response);
  }

  /** The place of a question that this bank has read; undefined for any other. */
  place(question: Pick<Question, 'id'>): Place | undefined {
    return this.#places.get(question.id);
  }

  /** The paper of a question that this bank has read, with its metadata and source. */
  paperOf(question: Pick<Question, 'id'>): Promise<QuestionFile> {
    return this.#paper(paperPath(this.#knownPlace(question)));
  }

  /** The passage that a question belongs to; undefined if there is none. */
  async passage(question: Question): Promise<Passage | undefined> {
    return (await this.paperOf(question)).passages?.find(({ id }) => id === question.passage);
  }

  /** Reads a diagram, and verifies its checksum. @param owner a question or paper that names it @param file its name */
  async diagram(owner: Question | QuestionFile, file: string): Promise<Uint8Array> {
    const place = 'id' in owner ? this.#knownPlace(owner) : owner;
    const paper = await this.#read(paperPath(place));
    const { checksum: sum } = paper.diagrams.find((one) => one.file === file) ?? {};
    if (sum === undefined)
      throw new PastpaperError('not-found', `${paperPath(place)} has no diagram "${file}".`);
    const path = paperPath(place).replace(/[^/]+$/, `diagrams/${file}`);
    const body = await this.#once(path, () => this.#file(path, (bytes) => bytes));
    if (checksum(body) === sum) return body;
    throw new PastpaperError(
      'damaged',
      `${path} does not match its checksum. If the service has a new release, open the bank again.`,
    );
  }

  /** What `render` needs beside a question: its passage, and data URLs of all diagrams by the names of their files. */
  async media(question: Question): Promise<{
    readonly passage: Passage | undefined;
    readonly diagram: Readonly<Record<string, string>>;
  }> {
    const passage = await this.passage(question);
    const drawn = [
      ...question.diagrams,
      ...question.options.flatMap((option) => option.diagram ?? []),
      ...(passage?.diagrams ?? []),
    ];
    const diagram: Record<string, string> = {};
    for (const { file, mediaType } of drawn)
      diagram[file] ??= `data:${mediaType};base64,${base64(await this.diagram(question, file))}`;
    return { passage, diagram };
  }

  /** An HTML page that shows questions, to answer in a browser that can reach the service. */
  async page(questions: readonly Question[]): Promise<string> {
    if (!this.#connection)
      throw new PastpaperError(
        'input',
        'A page loads /docs/render.mjs: open the address of a service.',
      );
    const shown: object[] = [];
    for (const question of questions) shown.push({ ...(await this.media(question)), question });
    return `<!doctype html>
<meta charset="utf-8">
<title>Questions</title>
<body>
<script type="module">
import '${this.#connection.urlOf('docs/render.mjs')}';
for (const one of ${JSON.stringify(shown).replaceAll('<', '\\u003c')})
  document.body.append(Object.assign(document.createElement('pastpaper-question'), one));
</script>
`;
  }

  /**
   * Mirrors an exam, or some of its years. One request brings most of a year; later syncs request only shifts that changed.
   * If it is interrupted, the next sync continues. For Node.js, Deno and Bun.
   *
   * @returns what the mirror has, every checksum verified, and what was written and removed
   */
  async sync(
    folder: string,
    { exam, years }: { readonly exam: string; readonly years?: readonly number[] | undefined },
  ): Promise<SyncResult> {
    if (!this.#connection)
      throw new PastpaperError('input', 'Only the bank of a service can be mirrored.');
    requireName(/^[a-z][a-z0-9]*$/, exam, 'an exam, such as neet');
    const end = await synchronize(this.#connection, folder, { exam, years }).catch(
      (error: Error) => {
        throw new PastpaperError('file-system', `"${folder}" cannot be used: ${error.message}`);
      },
    );
    const { problem, ...result } = end;
    if (!problem) return result;
    const kept = 'The mirror is not complete yet; complete files are kept.';
    throw new PastpaperError(problem.code, `${problem.message} ${kept} Run sync again.`);
  }

  /**
   * The releases since one of them, newest first, with the questions that they changed. No texts: it needs no key.
   *
   * @param options `since`: the id of the release that you have, or a date (ISO 8601); all that the service lists if undefined
   */
  async changes({ since }: { readonly since?: string | undefined } = {}): Promise<Change[]> {
    const read = (body: Uint8Array) => readJson<{ items?: readonly FeedItem[] }>(body);
    const feed = await this.#source.get('changes.json', read);
    if (!feed)
      throw new PastpaperError(
        'not-found',
        'There is no list of changes here: only services have /changes.json.',
      );
    const items = (feed.items ?? []).map(
      (item): Change => ({
        id: item.id,
        date: item.date_published,
        papers: item._pastpaper?.papers ?? [],
      }),
    );
    if (since === undefined) return items;
    if (/^\d{4}-\d\d-\d\d/.test(since))
      return items.filter(({ date }) => Date.parse(date) > Date.parse(since));
    const at = items.findIndex(({ id }) => id === since);
    if (at >= 0) return items.slice(0, at);
    throw new PastpaperError(
      'not-found',
      `The service does not list the release "${since}" (any more). Run sync, which compares everything.`,
    );
  }

  /** The address where readers report a mistake in a question; undefined if the bank has none. */
  async report(question: Pick<Question, 'id'>): Promise<string | undefined> {
    const { report } = await this.#list();
    const place = this.#knownPlace(question);
    return report && reportAddress(report, { ...place, id: question.id, file: paperPath(place) });
  }

  #list() {
    return this.#once('exams.json', () => this.#get('exams.json', readExams));
  }

  #year(exam: string, year: number): Promise<Year> {
    const path = yearPath(exam, year);
    requireName(scopePattern, path, 'an exam and a year, such as neet/2024');
    return this.#once(path, async () => {
      const found = await this.#source.get(path, (body) => readYear(body, exam, year));
      return (
        found ??
        this.#missing(path, `The years of ${exam}: ${(await this.years(exam)).join(', ')}.`)
      );
    });
  }

  /** The questions of a year: of files, those of the papers that are there. */
  async #index(exam: string, year: number): Promise<readonly Entry[]> {
    const { path: ofYear, shifts } = await this.#year(exam, year);
    const path = `${ofYear}/questions.json`;
    const read = (body: Uint8Array) => readJson<QuestionIndex>(body, { exam, year }).questions;
    if (this.#connection) return this.#once(path, () => this.#get(path, read));
    return this.#once(path, async () => {
      const entries: Entry[] = [];
      for (const place of shifts.flatMap(({ shift, subjects }) =>
        subjects.map((subject) => ({ exam, year, shift, subject })),
      )) {
        const paper = await this.#paper(paperPath(place)).catch(ifMissing);
        for (const question of paper?.questions ?? []) entries.push({ ...question, ...place });
      }
      return entries;
    });
  }

  /** Requests the packs of years of which several papers are needed. */
  async #prepare(entries: readonly (Entry & Place)[]): Promise<void> {
    const papers = new Set(entries.map(paperPath).filter((path) => !this.#kept.has(path)));
    const years = Array.from(papers, (path) => path.split('/').slice(0, 2).join('/'));
    for (const year of new Set(years)) {
      const pack = `${year}/all.zip`;
      if (years.filter((one) => one === year).length > mostPapers)
        await this.#once(pack, () => this.#source.get(pack, unpack));
    }
  }

  async #questionAt(place: Place, id: string): Promise<Question> {
    const { questions } = await this.#paper(paperPath(place));
    const question = questions.find((one) => one.id === id);
    if (question) return question;
    throw new PastpaperError(
      'damaged',
      `${paperPath(place)} does not have the question "${id}" any more: the service has a new release. Open the bank again.`,
    );
  }

  async #paper(path: string): Promise<QuestionFile> {
    return (await this.#read(path)).file;
  }

  #read(path: string): Promise<Paper> {
    return this.#once(path, async () => {
      const paper = await this.#file(path, (body) => readPaper(body, path));
      const { exam, year, shift, subject, questions, language } = paper.file;
      if (language === undefined)
        for (const { id } of questions) this.#places.set(id, { exam, year, shift, subject });
      return paper;
    });
  }

  /** Reads a file, from the pack of its year if that is at hand. */
  async #file<Value>(path: string, read: Read<Value>): Promise<Value> {
    const year = path.split('/').slice(0, 2).join('/');
    const pack = (await this.#kept.get(`${year}/all.zip`)) as Files | undefined;
    const body = pack?.get(path);
    if (body) return orDamaged(path, () => read(body));
    return this.#get(path, read, 'The papers of a shift: bank.papers(path).');
  }

  async #get<Value>(
    path: string,
    read: Read<Value>,
    help = 'Check the address of the service.',
  ): Promise<Value> {
    return (await this.#source.get(path, read)) ?? this.#missing(path, help);
  }

  #missing(path: string, help: string): never {
    const status = this.#connection ? ' (404)' : '';
    throw new PastpaperError(
      'not-found',
      `${this.#source.urlOf(path)} does not exist${status}. ${help}`,
    );
  }

  #knownPlace({ id }: Pick<Question, 'id'>): Place {
    const place = this.#places.get(id);
    if (place) return place;
    throw new PastpaperError('input', `Read the question "${id}" from this bank first.`);
  }

  /** Does something once; again if it failed. */
  #once<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    const kept = (this.#kept.get(name) as Promise<Value> | undefined) ?? work();
    this.#kept.set(name, kept);
    kept.catch(() => this.#kept.delete(name));
    return kept;
  }
}

function paperPath(place: Place & { readonly language?: string | undefined }): string {
  const { exam, year, shift, subject, language } = place;
  const name = language === undefined ? subject : `${subject}.${language}`;
  return `${yearPath(exam, year)}/${shift}/${name}.json`;
}

/** The path of a shift: by its exact name, an ordinal, or the start of its name, with or without the year. */
function resolveShift({ path: ofYear, shifts }: Year, name: string): string {
  const [, ordinal] = /^s([1-9]\d*)$/.exec(name) ?? [];
  const found =
    shifts.find(({ shift }) => shift === name) ??
    (ordinal && shifts[Number(ordinal) - 1]) ??
    shifts.find(
      ({ shift }) =>
        shift.startsWith(name) || (/^\d\d-\d\d/.test(name) && shift.slice(5).startsWith(name)),
    );
  if (found && name !== '') return found.path;
  const names = shifts.map(({ shift }) => shift).join(', ');
  throw new PastpaperError('not-found', `${ofYear} has no shift "${name}". Its shifts: ${names}.`);
}

function requireName(pattern: RegExp, text: string, what: string): void {
  if (!pattern.test(text)) throw new PastpaperError('input', `"${text}" is not ${what}.`);
}

/** A pack may have one shift of a year. @throws any other error */
function ifMissing(error: unknown): undefined {
  if (!(error instanceof PastpaperError && error.code === 'not-found')) throw error;
}

/** @throws PastpaperError when `read` throws */
function orDamaged<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new PastpaperError('damaged', `${name}: ${(error as Error).message}.`);
  }
}

/** The key of the environment; browsers have none. */
function environmentKey(): string | undefined {
  return globalThis.process?.env?.['API_KEY'];
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
