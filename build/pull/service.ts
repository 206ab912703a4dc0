import { diagramChecksum, type PaperAnswer, readPaper, readShifts, readYears } from './answers.ts';
import type { Client, Found } from './client.ts';
import { PullStopped } from './failure.ts';
import { diagramPath, paperPath } from './paths.ts';
import { type Scope, scopeName, yearName } from './scope.ts';
import { quoted } from './words.ts';

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
