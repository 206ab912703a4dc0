import { Client } from './client.ts';
import { FileFailed, PullStopped } from './errors.ts';
import { MirrorFolder } from './mirror-folder.ts';
import { type RateLimit, RateLimiter } from './rate-limit.ts';
import type { PullSettings } from './settings.ts';
import { Sync, type SyncResult } from './sync.ts';

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
 * @param path the folder of the mirror
 * @throws the file system's own error when the folder cannot be opened
 */
export async function pull(path: string, settings: PullSettings): Promise<PullResult> {
  const folder = await MirrorFolder.open(path, settings.scope);
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
