/**
 * The process that reads or pulls a release while the gateway serves another one: to verify, hash and link thousands of
 * files and to parse a manifest of megabytes would block requests, and take memory that only a process of its own
 * returns when it ends.
 */
import type { PullResult } from '../../build/release/store/pull.ts';
import { verifyRelease } from '../../build/release/verify.ts';
import { type PullRequest, pullRelease } from './pull-release.ts';
import { type ManifestPart, manifestParts } from './response-table.ts';

/** What the gateway sends to the process. */
export type ReleaseRequest =
  /** `marks` are those of the files that were verified before, joined by spaces. */
  | { readonly kind: 'read'; readonly folder: string; readonly marks: string }
  | ({ readonly kind: 'pull' } & PullRequest);

/** The id of a release that was read, and the marks of its files. */
export interface ReadResult {
  readonly id: string;
  readonly marks: string;
}

/** What the process sends back: the parts of the manifest that it reads, then the end; or why the release cannot be used. */
export type ReleaseMessage =
  | { readonly kind: 'part'; readonly part: ManifestPart }
  | { readonly kind: 'end'; readonly result: ReadResult | PullResult }
  | { readonly kind: 'failed'; readonly message: string };

// A terminal sends them to all processes, but the gateway decides what happens.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
const end = new AbortController();

process.once('message', async (request: ReleaseRequest) => {
  process.once('disconnect', () => {
    // A pull removes what it has written. Nothing less than SIGKILL ends a process that waits for a disk.
    if (request.kind === 'pull') end.abort(new Error('the gateway stops'));
    else process.kill(process.pid, 'SIGKILL');
  });
  try {
    const result = request.kind === 'read' ? await read(request) : await pullRelease(request, end.signal);
    await send({ kind: 'end', result });
  } catch (error) {
    if (process.connected) await send({ kind: 'failed', message: (error as Error).message });
  } finally {
    if (process.connected) process.disconnect();
  }
});

async function read({ folder, marks }: Extract<ReleaseRequest, { kind: 'read' }>): Promise<ReadResult> {
  const verified = await verifyRelease(folder, new Set(marks.split(' ')));
  for (const part of manifestParts(verified.manifest)) await send({ kind: 'part', part });
  return { id: verified.manifest.id, marks: [...verified.marks].join(' ') };
}

function send(message: ReleaseMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });
}
