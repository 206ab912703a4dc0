import { Turns } from '../turns.ts';

/** Milliseconds that a read may take, with the wait for its turn. */
const timeLimit = 5_000;

/** Reads under way: Node has four threads for all that waits for a disk or a name, and one is left to the others. */
const mostAtOnce = 3;

/** Reads of one file, and of all of them, that may wait. */
const mostWaiting = 10_000;

/** A disk gives no answer. The message says for which file. */
export class HangingDisk extends Error {
  override readonly name = 'HangingDisk';

  constructor(path: string) {
    super(`${path} could not be read within ${timeLimit / 1000} s: its disk hangs.`);
  }
}

/** What is read of one file. */
interface Lane {
  readonly turns: Turns;
  /** Reads under way or waiting. */
  reads: number;
  isHanging: boolean;
}

/**
 * Reads of files whose disk may hang: each ends in time for who asked, a file that hangs takes one thread, however many
 * ask for it, and while all threads hang nothing waits for them.
 */
export class DiskReads {
  readonly #turns = new Turns(mostAtOnce, mostWaiting);
  readonly #lanes = new Map<string, Lane>();
  #hanging = 0;

  /**
   * Reads something of a file when it is its turn.
   *
   * @param run its signal is aborted when no one waits for the result any more
   * @throws HangingDisk when that takes too long; what `run` throws
   */
  read<Result>(path: string, run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const lane = this.#lanes.get(path) ?? { turns: new Turns(1, mostWaiting), reads: 0, isHanging: false };
    if (lane.isHanging || this.#hanging >= mostAtOnce) return Promise.reject(new HangingDisk(path));
    this.#lanes.set(path, lane);
    const end = new AbortController();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        end.abort(new HangingDisk(path));
        reject(end.signal.reason);
      }, timeLimit);
      this.#inTurn(path, lane, run, end.signal)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  }

  async #inTurn<Result>(
    path: string,
    lane: Lane,
    run: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    lane.reads += 1;
    try {
      await lane.turns.take(signal);
      try {
        await this.#turns.take(signal);
        return await this.#watched(lane, run, signal).finally(() => this.#turns.end());
      } finally {
        lane.turns.end();
      }
    } finally {
      lane.reads -= 1;
      if (lane.reads === 0) this.#lanes.delete(path);
    }
  }

  /** Knows the read as one that hangs from when its time is up to when it ends. */
  async #watched<Result>(
    lane: Lane,
    run: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    let hangs = false;
    const hang = () => {
      hangs = true;
      lane.isHanging = true;
      this.#hanging += 1;
    };
    signal.addEventListener('abort', hang);
    try {
      return await run(signal);
    } finally {
      signal.removeEventListener('abort', hang);
      if (hangs) {
        lane.isHanging = false;
        this.#hanging -= 1;
      }
    }
  }
}
