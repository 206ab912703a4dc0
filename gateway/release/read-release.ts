import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { verifyRelease } from '../../build/release/verify.ts';
import type { ReaderMessage, ReaderRequest } from './reader.ts';
import { type ManifestPart, manifestParts, type Release, ResponseTable } from './response-table.ts';

/** A release whose files all match its manifest. */
export interface VerifiedRelease {
  /** Absolute, and not a link. */
  readonly folder: string;
  readonly release: Release;
  /** Which files were verified, for the next time; see `verifyRelease`. */
  readonly marks: string;
}

/** Lower than that of the gateway, whose requests come first. */
const readerPriority = 10;

/** Processes that a hanging disk keeps from ending; beyond them none is started. */
const maxUnended = 3;
let unended = 0;

/** Is passed each part of a manifest, once all files of the release are verified. */
export type PartListener = (part: ManifestPart) => void;

/**
 * Reads the release in a folder in this process, which is blocked meanwhile.
 *
 * @throws DamagedRelease when a file is missing, of another size, or has other bytes
 */
export async function readRelease(folder: string, onPart?: PartListener): Promise<VerifiedRelease> {
  const { manifest, marks } = await verifyRelease(folder, new Set());
  const table = new ResponseTable(folder);
  for (const part of manifestParts(manifest)) {
    table.add(part);
    onPart?.(part);
  }
  return { folder, release: table.release(manifest.id), marks: [...marks].join(' ') };
}

/**
 * Reads the release in a folder in a process of its own, so that this one continues to serve.
 *
 * @param reader the compiled `reader.ts`
 * @param marks which files were verified before
 * @param signal ends the process
 * @throws Error when a file is missing, of another size, or has other bytes; when the process ends without a result, or
 *   earlier ones have not ended
 */
export async function readReleaseApart(
  reader: string,
  folder: string,
  marks: string,
  signal: AbortSignal,
  onPart?: PartListener,
): Promise<VerifiedRelease> {
  if (unended >= maxUnended) throw new Error('earlier reads are still waiting for the disk');
  // Nothing less than SIGKILL ends a process that waits for a disk.
  const child = fork(reader, { execArgv: [], signal, killSignal: 'SIGKILL' });
  const table = new ResponseTable(folder);
  if (child.pid !== undefined) unended += 1;
  return new Promise((resolve, reject) => {
    child.on('message', (message: ReaderMessage) => {
      switch (message.kind) {
        case 'part':
          table.add(message.part);
          return onPart?.(message.part);
        case 'end':
          return resolve({ folder, release: table.release(message.id), marks: message.marks });
        case 'failed':
          reject(new Error(message.message));
          return child.kill('SIGKILL');
      }
    });
    child.on('error', reject);
    child.on('exit', (status) => {
      unended -= 1;
      reject(new Error(`the process that verifies it ended with ${status}`));
    });
    child.send({ folder, marks } satisfies ReaderRequest);
    if (child.pid !== undefined) setPriority(child.pid, readerPriority);
  });
}
