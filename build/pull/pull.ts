import { Client } from './client.ts';
import type { TimeLimits, Way } from './connection.ts';
import { FileFailed, PullStopped } from './errors.ts';
import { Copy } from './mirror-folder.ts';
import { type Scope, scopeName } from './paths.ts';
import { Pace, type Timing, type ToldLimit } from './rate-limit.ts';
import { Service } from './resources.ts';
import { Rounds, type RoundsEnd } from './sync.ts';
import { Tally, type Watcher } from './tally.ts';

/** Files fetched at the same time, each on a connection of its own. */
const atOnce = 4;

export interface PullOrder {
  /** Address of the service, without a slash at its end. */
  readonly baseUrl: string;
  readonly way: Way;
  readonly key: string;
  readonly scope: Scope;
  /** Where the copy is, or is to be. */
  readonly folder: string;
}

export interface PullSetting {
  readonly timing: Timing;
  readonly timeLimits: TimeLimits;
  readonly watcher: Watcher;
}

/** How a pull ended, and what it has downloaded. */
export interface Pulled {
  readonly end: RoundsEnd;
  readonly papers: number;
  readonly diagrams: number;
  /** Of what was downloaded. */
  readonly bytes: number;
  /** The limits of the account, as last told. */
  readonly limits: readonly ToldLimit[];
}

/**
 * Brings the copy of an exam, or of one of its years, in step with a service. Whatever goes wrong, each file is either
 * whole or not there, and what is whole is not fetched again by the next pull.
 *
 * @throws the file system's own error, when the folder cannot be opened
 */
export async function pull(order: PullOrder, { timing, timeLimits, watcher }: PullSetting): Promise<Pulled> {
  const { scope, folder } = order;
  const copy = await Copy.open(folder, scopeName(scope));
  const end = new AbortController();
  const tally = new Tally(watcher, timing);
  const pace = new Pace(timing);
  const client = new Client({ ...order, atOnce, timeLimits }, pace, timing, end.signal, (sentence) =>
    watcher.note(sentence),
  );
  // Nothing more is wanted of requests under way.
  end.signal.addEventListener('abort', () => void client.close(), { once: true });
  const rounds = new Rounds({ scope, service: new Service(client), copy, tally, timing, atOnce, end });
  try {
    const roundsEnd = await rounds.run().catch(toProblem);
    const { papers, diagrams, bytes } = tally;
    return { end: roundsEnd, papers, diagrams, bytes, limits: pace.told };
  } finally {
    await client.close();
  }
}

/** What ends a pull early, and a person can mend. @throws what is a fault of this program */
function toProblem(error: unknown): RoundsEnd {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof PullStopped || error instanceof FileFailed)
    return { kind: 'not whole', problems: [error.message] };
  if (syscall === undefined || path === undefined) throw error;
  return {
    kind: 'not whole',
    problems: [`The file system refused ${syscall} of ${path} (${code}). What is here is kept.`],
  };
}
