import { delayBefore } from './client.ts';
import { FileFailed } from './errors.ts';
import type { Copy } from './mirror-folder.ts';
import { diagramPath, paperPath, type Scope, scopeName } from './paths.ts';
import type { Timing } from './rate-limit.ts';
import {
  type DiagramAnswer,
  type PaperAnswer,
  type Service,
  shiftChecksum,
  type WantedShift,
} from './resources.ts';
import type { Tally } from './tally.ts';

/** A service that publishes a new release while a round is under way makes for one round more. */
const mostRounds = 8;

export interface RoundParts {
  readonly scope: Scope;
  readonly service: Service;
  readonly copy: Copy;
  readonly tally: Tally;
  readonly timing: Timing;
  /** Files fetched at the same time. */
  readonly atOnce: number;
  readonly end: AbortController;
}

/** How the rounds ended. A whole copy has been read back from the disk. */
export type RoundsEnd =
  | {
      readonly kind: 'whole';
      readonly shifts: number;
      readonly papers: number;
      readonly diagrams: number;
      readonly removed: number;
    }
  | { readonly kind: 'not whole'; readonly problems: readonly string[] };

/**
 * Brings the copy in step, round by round: reads the metadata, holds the disk against it, fetches what differs. A
 * round that finds nothing to fetch is the proof that the copy is whole.
 */
export class Rounds {
  readonly #parts: RoundParts;
  /** What is not asked for again, and why: by its path, and the checksum that made it wanted. */
  readonly #failed = new Map<string, string>();
  /** What came in this round otherwise than its metadata said, and how. A later round may bring it. */
  #mismatched = new Map<string, string>();

  constructor(parts: RoundParts) {
    this.#parts = parts;
  }

  /** @throws PullStopped; the file system's own error */
  async run(): Promise<RoundsEnd> {
    const { timing, end } = this.#parts;
    for (let round = 1; ; round += 1) {
      const stocks = await this.#takeStock();
      const unsettled = stocks.filter((stock) => !isSettled(stock));
      const askable = unsettled.filter((stock) => this.#failuresOf(stock).length === 0);
      await this.#fetchPapers(askable);
      const missing = await this.#missingDiagrams(stocks.filter(isSettled));
      const wanted = missing.filter(({ path, checksum }) => !this.#failed.has(keyOf(path, checksum)));
      await this.#fetchDiagrams(wanted);

      if (unsettled.length + missing.length === 0) return this.#finish(stocks);
      if (askable.length + wanted.length === 0 || round === mostRounds)
        return this.#giveUp(unsettled, missing);
      if (this.#mismatched.size > 0) await timing.sleep(delayBefore(round + 1, timing.random), end.signal);
    }
  }

  async #takeStock(): Promise<readonly ShiftStock[]> {
    const { scope, service, copy } = this.#parts;
    const stocks: ShiftStock[] = [];
    for (const shift of await service.shifts(scope)) stocks.push(await stockOf(copy, shift));
    return stocks;
  }

  async #fetchPapers(stocks: readonly ShiftStock[]): Promise<void> {
    const { copy, tally, atOnce, end } = this.#parts;
    const distrusted = this.#mismatched;
    this.#mismatched = new Map();
    for (const { shift } of stocks) {
      await copy.announce(shift.subjects.map((subject) => paperPath(shift.path, subject)));
      tally.expect(shift.subjects.length);
    }
    await forEachAtOnce(stocks, atOnce, end, (stock) =>
      this.#fetchPapersOf(stock, !distrusted.has(keyOf(stock.shift.path, stock.shift.checksum))),
    );
  }

  /** Which papers of a shift differ nobody tells: they are asked for until all match the shift's checksum. */
  async #fetchPapersOf(stock: ShiftStock, byEtag: boolean): Promise<void> {
    const { shift, papers } = stock;
    const absentFirst = [...shift.subjects].sort((a, b) => Number(papers.has(a)) - Number(papers.has(b)));
    for (const [index, subject] of absentFirst.entries()) {
      if (isSettled(stock)) {
        this.#parts.tally.expect(index - absentFirst.length);
        return;
      }
      await this.#orFail(keyOf(paperPath(shift.path, subject), shift.checksum), () =>
        this.#fetchPaper(stock, subject, byEtag),
      );
    }
    if (isSettled(stock) || this.#failuresOf(stock).length > 0) return;
    this.#mismatched.set(
      keyOf(shift.path, shift.checksum),
      `${shift.path}: its papers do not match the checksum that the service has for the shift.`,
    );
  }

  async #fetchPaper({ shift, papers }: ShiftStock, subject: string, byEtag: boolean): Promise<void> {
    const { service, copy, tally } = this.#parts;
    const path = paperPath(shift.path, subject);
    const here = papers.get(subject);
    const served = await service.paper(shift, subject, here && byEtag ? copy.etagOf(path, here) : undefined);
    if (served === 'missing') throw notThere(path);
    if (served === 'unchanged') return tally.done();
    const { bytes, etag, checksum, diagrams } = served;
    await copy.write(path, bytes, { etag, checksum });
    papers.set(subject, { checksum, diagrams });
    tally.done({ kind: 'papers', bytes: bytes.length });
  }

  async #missingDiagrams(stocks: readonly ShiftStock[]): Promise<readonly WantedDiagram[]> {
    const { copy } = this.#parts;
    const missing: WantedDiagram[] = [];
    for (const stock of stocks) {
      const here: string[] = [];
      for (const diagram of diagramsOf(stock)) {
        if (await copy.hasDiagram(diagram.path, diagram.checksum)) here.push(diagram.path);
        else missing.push(diagram);
      }
      await copy.adopt(here);
    }
    return missing;
  }

  async #fetchDiagrams(diagrams: readonly WantedDiagram[]): Promise<void> {
    const { copy, tally, atOnce, end } = this.#parts;
    await copy.announce(diagrams.map(({ path }) => path));
    tally.expect(diagrams.length);
    await forEachAtOnce(diagrams, atOnce, end, (diagram) =>
      this.#orFail(keyOf(diagram.path, diagram.checksum), () => this.#fetchDiagram(diagram)),
    );
  }

  async #fetchDiagram({ shift, file, checksum, path }: WantedDiagram): Promise<void> {
    const { service, copy, tally } = this.#parts;
    const served = await service.diagram(shift, file);
    if (served === 'missing') throw notThere(path);
    if (served.checksum !== checksum) {
      this.#mismatched.set(
        keyOf(path, checksum),
        `${path}: it does not match the checksum that its paper has.`,
      );
      return tally.done();
    }
    await copy.write(path, served.bytes);
    tally.done({ kind: 'diagrams', bytes: served.bytes.length });
  }

  /** Does what fetches one file. When it fails for good, the others go on. */
  async #orFail(key: string, fetchFile: () => Promise<void>): Promise<void> {
    try {
      await fetchFile();
    } catch (error) {
      if (!(error instanceof FileFailed)) throw error;
      this.#failed.set(key, error.message);
      this.#parts.tally.done();
    }
  }

  #failuresOf({ shift }: ShiftStock): readonly string[] {
    return shift.subjects.flatMap(
      (subject) => this.#failed.get(keyOf(paperPath(shift.path, subject), shift.checksum)) ?? [],
    );
  }

  async #finish(stocks: readonly ShiftStock[]): Promise<RoundsEnd> {
    const { scope, copy } = this.#parts;
    const papers = stocks.flatMap(({ shift }) => papersOf(shift));
    const diagrams = new Set(stocks.flatMap(diagramsOf).map(({ path }) => path));
    const removed = await copy.removeUnwanted(scopeName(scope), new Set([...papers, ...diagrams]));
    return { kind: 'whole', shifts: stocks.length, papers: papers.length, diagrams: diagrams.size, removed };
  }

  #giveUp(unsettled: readonly ShiftStock[], missing: readonly WantedDiagram[]): RoundsEnd {
    const failures = [
      ...unsettled.flatMap((stock) => this.#failuresOf(stock)),
      ...missing.flatMap(({ path, checksum }) => this.#failed.get(keyOf(path, checksum)) ?? []),
    ];
    const problems = [...failures, ...this.#mismatched.values()];
    if (problems.length > 0) return { kind: 'not whole', problems };
    return {
      kind: 'not whole',
      problems: [
        `After ${mostRounds} rounds there was still something new: the service publishes again and again, or another program changes the files of the copy.`,
      ],
    };
  }
}

function papersOf({ path, subjects }: WantedShift): readonly string[] {
  return subjects.map((subject) => paperPath(path, subject));
}

function keyOf(path: string, checksum: string): string {
  return `${path} ${checksum}`;
}

function notThere(path: string): FileFailed {
  return new FileFailed(`${path}: the service names it, and does not have it (404).`);
}

/** A shift, and what of it is here. */
export interface ShiftStock {
  readonly shift: WantedShift;
  /** By subject; each matches its own checksum. */
  readonly papers: Map<string, PaperAnswer>;
}

/** A diagram that a paper names. */
export interface WantedDiagram extends DiagramAnswer {
  readonly shift: WantedShift;
  readonly path: string;
}

/** Reads what is here of a shift, from the disk. Whole papers are the copy's from then on. */
export async function stockOf(copy: Copy, shift: WantedShift): Promise<ShiftStock> {
  const papers = new Map<string, PaperAnswer>();
  for (const subject of shift.subjects) {
    const paper = await copy.paper(paperPath(shift.path, subject), { ...shift, subject });
    if (paper) papers.set(subject, paper);
  }
  await copy.adopt([...papers.keys()].map((subject) => paperPath(shift.path, subject)));
  return { shift, papers };
}

/** Whether the papers that are here are those of the service: all of them, and together they match its checksum. */
export function isSettled({ shift, papers }: ShiftStock): boolean {
  return papers.size === shift.subjects.length && shiftChecksum(papers) === shift.checksum;
}

/** The diagrams that the papers here name, each once. */
export function diagramsOf({ shift, papers }: ShiftStock): readonly WantedDiagram[] {
  const diagrams = new Map<string, WantedDiagram>();
  for (const { file, checksum } of [...papers.values()].flatMap((paper) => paper.diagrams)) {
    // Should two papers not agree on a diagram, both are held against it, and one is told.
    diagrams.set(`${file} ${checksum}`, { shift, file, checksum, path: diagramPath(shift.path, file) });
  }
  return [...diagrams.values()];
}

/**
 * Does the work for each item, so many at a time. After a failure no more work begins; what is under way is told by
 * the controller to end, and has ended when this returns.
 *
 * @param end is aborted by the first failure
 * @throws the first failure
 */
export async function forEachAtOnce<Item>(
  items: Iterable<Item>,
  atOnce: number,
  end: AbortController,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const workers = Array.from({ length: atOnce }, async () => {
    for (let next = queue.next(); !next.done && !end.signal.aborted; next = queue.next())
      await work(next.value).catch((error: unknown) => end.abort(error));
  });
  await Promise.all(workers);
  end.signal.throwIfAborted();
}
