import { Client } from './client.ts';
import type { ProxySettings, Timeouts } from './connection.ts';
import { FileFailed, PullStopped } from './errors.ts';
import { MirrorFolder } from './mirror-folder.ts';
import { type Scope, scopeName } from './paths.ts';
import { type Clock, type RateLimit, RateLimiter } from './rate-limit.ts';
import { QuestionBank } from './resources.ts';
import { Downloads, Sync, type SyncResult } from './sync.ts';

/** Files downloaded at the same time, each on a connection of its own. */
const concurrency = 4;

export interface PullSettings {
  /** Address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly proxy: ProxySettings;
  readonly key: string;
  readonly scope: Scope;
  /** Folder of the mirror. */
  readonly folder: string;
  readonly clock: Clock;
  readonly timeouts: Timeouts;
  readonly observer: PullObserver;
}

/** Follows a pull. */
interface PullObserver {
  /** Files requested, of those known to be wanted, and bytes downloaded. */
  progress(done: number, total: number, bytes: number): void;
  /** Takes a sentence about a problem that the pull may get over. */
  note(sentence: string): void;
}

/** How a pull ended, and what it downloaded. */
export interface PullResult {
  readonly end: SyncResult;
  readonly papers: number;
  readonly diagrams: number;
  readonly bytes: number;
  /** The limits of the account, as last reported by the service. */
  readonly limits: readonly RateLimit[];
}

/**
 * Mirrors an exam, or one of its years. Whatever goes wrong, each file is either complete or absent, and the next pull
 * does not download again what is complete.
 *
 * @throws the file system's own error when the folder cannot be opened
 */
export async function pull(settings: PullSettings): Promise<PullResult> {
  const { scope, clock, observer } = settings;
  const folder = await MirrorFolder.open(settings.folder, scopeName(scope));
  const end = new AbortController();
  const downloads = new Downloads(observer.progress);
  const limiter = new RateLimiter(clock);
  const client = new Client({ ...settings, concurrency, limiter, signal: end.signal, note: observer.note });
  end.signal.addEventListener('abort', () => void client.close(), { once: true });
  const bank = new QuestionBank(client);
  try {
    const sync = new Sync({ scope, bank, folder, downloads, clock, concurrency, end });
    const result = await sync.run().catch(toProblem);
    const { papers, diagrams, bytes } = downloads;
    return { end: result, papers, diagrams, bytes, limits: limiter.limits };
  } finally {
    await client.close();
  }
}

/** Turns an error that the user can fix into a problem. @throws any other error */
function toProblem(error: unknown): SyncResult {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof PullStopped || error instanceof FileFailed)
    return { kind: 'incomplete', problems: [error.message] };
  if (syscall === undefined || path === undefined) throw error;
  return {
    kind: 'incomplete',
    problems: [`The file system refused ${syscall} of ${path} (${code}). What is here is kept.`],
  };
}
