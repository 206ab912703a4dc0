/** Requests to read or pull a release, run in this process or, while it serves another release, in one of its own. */
import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { verifyRelease } from '../../build/release/verify.ts';
import type { PullResult } from '../../build/store/pull.ts';
import type { PullRequest } from './pull-release.ts';
import { type ManifestPart, manifestParts, type Release, ResponseTable } from './response-table.ts';

export type ReleaseRequest =
  /** `marks` are those of the files that were verified before, joined by spaces. */
  | { readonly kind: 'read'; readonly folder: string; readonly marks: string }
  | ({ readonly kind: 'pull' } & PullRequest);

/** The id of a release that was read, and the marks of its files. */
interface ReadResult {
  readonly id: string;
  readonly marks: string;
}

/** What the other process sends: the parts of the manifest that it reads, then the end, or why there is no result. */
export type ReleaseMessage =
  | { readonly kind: 'part'; readonly part: ManifestPart }
  | { readonly kind: 'end'; readonly result: ReadResult | PullResult }
  | { readonly kind: 'failed'; readonly message: string };

/** Is passed each part of a manifest, once all files of the release are verified. */
type PartListener = (part: ManifestPart) => unknown;

/**
 * Runs a request in this process, which is blocked for a part of the time.
 *
 * @throws DamagedRelease when a file is missing, of another size, or has other bytes; StoreError
 */
export async function runHere(
  request: ReleaseRequest,
  signal: AbortSignal,
  onPart: PartListener,
): Promise<ReadResult | PullResult> {
  if (request.kind === 'pull')
    return (await import('./pull-release.ts')).pullRelease(request, signal);
  const { manifest, marks } = await verifyRelease(
    request.folder,
    new Set(request.marks.split(' ')),
  );
  for (const part of manifestParts(manifest)) await onPart(part);
  return { id: manifest.id, marks: [...marks].join(' ') };
}

/** Lower than that of the gateway, whose requests come first. */
const priority = 10;

/** Milliseconds that a process has to remove what it has written. */
const cleanTimeout = 5_000;

/** Processes that a hanging disk keeps from ending; beyond them none is started. */
const maxUnended = 3;
let unended = 0;

/**
 * Runs a request.
 *
 * @param program the compiled `release-process.ts`; without it, the request runs in this process
 * @param signal ends the process
 * @throws what `runHere` throws; from another process an Error with its message. Error when that process ends without a
 *   result, or earlier ones have not ended
 */
export async function runRequest<Result extends ReadResult | PullResult>(
  program: string | undefined,
  request: ReleaseRequest,
  signal: AbortSignal,
  onPart: PartListener = () => {},
): Promise<Result> {
  if (program === undefined) return (await runHere(request, signal, onPart)) as Result;
  if (unended >= maxUnended) throw new Error('earlier reads are still waiting for the disk');
  const child = fork(program, { execArgv: [] });
  if (child.pid !== undefined) unended += 1;
  const stop = () => {
    if (child.connected) child.disconnect();
    setTimeout(() => child.kill('SIGKILL'), cleanTimeout).unref();
  };
  return new Promise<Result>((resolve, reject) => {
    signal.addEventListener('abort', stop, { once: true });
    child.on('message', (message: ReleaseMessage) => {
      if (message.kind === 'part') onPart(message.part);
      else if (message.kind === 'end') resolve(message.result as Result);
      else reject(new Error(message.message));
    });
    child.on('error', reject);
    child.on('exit', (status, killedBy) => {
      unended -= 1;
      reject(new Error(`the process for it ended with ${killedBy ?? status}`));
    });
    child.send(request);
    if (child.pid !== undefined) setPriority(child.pid, priority);
  }).finally(() => signal.removeEventListener('abort', stop));
}

/** A release whose files were all compared with its manifest. */
export interface VerifiedRelease {
  /** Absolute, and not a link. */
  readonly folder: string;
  readonly release: Release;
  /** Which files were verified, for the next time; see `verifyRelease`. */
  readonly marks: string;
  /** What is wrong with each damaged file; undefined: all files match. */
  readonly damage?: readonly string[];
}

/**
 * Reads the release in a folder.
 *
 * @param marks which files were verified before
 * @param program, signal, onPart see `runRequest`
 * @throws what `runRequest` throws
 */
export async function readRelease(
  folder: string,
  marks = '',
  program?: string,
  signal: AbortSignal = new AbortController().signal,
  onPart: PartListener = () => {},
): Promise<VerifiedRelease> {
  const table = new ResponseTable(folder);
  const read = await runRequest<ReadResult>(
    program,
    { kind: 'read', folder, marks },
    signal,
    (part) => {
      table.add(part);
      onPart(part);
    },
  );
  return { folder, release: table.release(read.id), marks: read.marks };
}

/**
 * Reads a release that has damaged files, in this process. Its other files are served; a request for a damaged one fails.
 *
 * @throws DamagedRelease when its manifest cannot be used
 */
export async function readDamaged(folder: string): Promise<VerifiedRelease> {
  const damage: string[] = [];
  const { manifest, marks } = await verifyRelease(folder, new Set(), (problem) =>
    damage.push(problem),
  );
  const table = new ResponseTable(folder);
  for (const part of manifestParts(manifest)) table.add(part);
  return {
    folder,
    release: table.release(manifest.id),
    marks: [...marks].join(' '),
    damage: damage.sort(),
  };
}
