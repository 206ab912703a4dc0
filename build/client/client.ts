/** `pastpaper/client`: reads the papers of a question bank. For Node.js. */
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { QuestionFile } from '../release/resources.ts';
import { accessTo } from './mirror/access.ts';
import { type Client, openClient } from './mirror/client.ts';
import { mirrorPath, scopePattern } from './mirror/mirror-folder.ts';
import { RateLimiter } from './mirror/rate-limit.ts';
import { paperPaths, readPaper, requestShifts } from './mirror/resources.ts';

/**
 * The papers of a bank: from the API, or from a mirror that `pastpaper pull` wrote. Requests stay within the limits of the
 * account, and are retried as those of `pastpaper pull`. Each file is requested once: make another `Bank` to see a new
 * release.
 */
export class Bank {
  readonly #folder: string;
  readonly #client: Client | undefined;
  readonly #files = new Map<string, Promise<Buffer>>();

  /**
   * @param source the address of the service, or the folder of a mirror
   * @param key for the service; that of the environment variable API_KEY if undefined
   * @throws Error when the address or the key is invalid
   */
  constructor(source: string, key: string | undefined = process.env['API_KEY']) {
    this.#folder = source;
    if (!/^https?:/.test(source)) return;
    const access = accessTo(source, { ...process.env, API_KEY: key });
    const settings = { ...access, note: () => undefined };
    this.#client = openClient(
      settings,
      new RateLimiter(access.clock),
      new AbortController().signal,
    );
  }

  /**
   * Lists papers and their translations by shift. This counts towards no limit.
   *
   * @param scope an exam, or one of its years: `neet`, `neet/2024`
   * @returns their paths: `neet/2024/2024-05-05-s1/physics`
   */
  async papers(scope: string): Promise<string[]> {
    if (!scopePattern.test(scope))
      throw new Error(`"${scope}" is not an exam or a year of one, such as neet/2024.`);
    const shifts = this.#client && (await requestShifts(this.#client, scope, () => true));
    const files = shifts
      ? shifts.flatMap(paperPaths)
      : (await readdir(join(this.#folder, scope), { recursive: true })).map((file) =>
          join(scope, file),
        );
    const paths = files
      .map((file) => file.replaceAll(sep, '/'))
      .filter((path) => mirrorPath.test(path));
    const papers = paths
      .filter((path) => path.endsWith('.json'))
      .map((path) => path.slice(0, -'.json'.length));
    return papers.sort(new Intl.Collator('en', { numeric: true }).compare);
  }

  /** Reads a paper, and verifies its checksum. @param path as `papers` lists it */
  async paper(path: string): Promise<QuestionFile> {
    const [exam = '', year, shift = '', paper = ''] = path.split('/');
    const place = { exam, year: Number(year), shift };
    return JSON.parse(
      String(await this.#file(`${path}.json`, (body) => readPaper(body, place, paper))),
    );
  }

  /** Reads a diagram of a paper. @param file its name: `file` of a diagram */
  diagram({ exam, year, shift }: QuestionFile, file: string): Promise<Uint8Array> {
    return this.#file(
      `${exam}/${String(year).padStart(4, '0')}/${shift}/diagrams/${file}`,
      () => undefined,
    );
  }

  /** Reads a file once; again if that failed. @param check throws if the file is damaged */
  #file(path: string, check: (body: Buffer) => unknown): Promise<Buffer> {
    const file = this.#files.get(path) ?? this.#read(path, check);
    this.#files.set(path, file);
    file.catch(() => this.#files.delete(path));
    return file;
  }

  async #read(path: string, check: (body: Buffer) => unknown): Promise<Buffer> {
    if (!mirrorPath.test(path)) throw new Error(`"${path}" is not the path of a paper or diagram.`);
    const read = ({ body }: { readonly body: Buffer }) => {
      check(body);
      return body;
    };
    if (!this.#client) return read({ body: await readFile(join(this.#folder, path)) });
    const body = await this.#client.get({ path, isProtected: true }, read);
    if (typeof body === 'string')
      throw new Error(`${this.#client.urlOf(path)} does not exist (404).`);
    return body;
  }
}
