import type { KeyObject } from 'node:crypto';
import { Client } from './client.ts';
import type { ProxySettings } from './connection.ts';
import { FileFailed, PullStopped } from './errors.ts';
import { MirrorFolder } from './mirror-folder.ts';
import { type Clock, type RateLimit, RateLimiter } from './rate-limit.ts';
import { Sync, type SyncResult } from './sync.ts';

export interface PullSettings {
  /** Address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly proxy: ProxySettings;
  readonly key: string;
  /** What is mirrored: an exam, or one of its years: `neet`, `neet/2024`. */
  readonly scope: string;
  /** Only what is signed with this key is accepted. */
  readonly publicKey?: KeyObject | undefined;
  /** Folder of the mirror. */
  readonly folder: string;
  readonly clock: Clock;
  /** Milliseconds from a request to the last byte of its response. */
  readonly timeout: number;
  /** Takes the number of files requested, of those known to be wanted, and of bytes downloaded. */
  readonly progress: (done: number, total: number, bytes: number) => void;
  /** Takes a sentence about a problem that a retry may solve. */
  readonly note: (sentence: string) => void;
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
  const folder = await MirrorFolder.open(settings.folder, settings.scope);
  const end = new AbortController();
  const limiter = new RateLimiter(settings.clock);
  const client = new Client({ ...settings, limiter, signal: end.signal });
  const sync = new Sync({ ...settings, client, folder, end });
  try {
    const result = await sync.run().catch(toProblem);
    return { end: result, ...sync.downloaded, limits: limiter.limits };
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
    problems: [`The file system rejected ${syscall} of ${path} (${code}). Completed files are kept.`],
  };
}
