import { verifyRelease } from '../../build/release/verify.ts';
import type { ReadResult } from './release-process.ts';
import { manifestParts, type Release, ResponseTable } from './response-table.ts';
import { type PartListener, runApart } from './run-apart.ts';

/** A release whose files all match its manifest. */
export interface VerifiedRelease {
  /** Absolute, and not a link. */
  readonly folder: string;
  readonly release: Release;
  /** Which files were verified, for the next time; see `verifyRelease`. */
  readonly marks: string;
}

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
 * @param program the compiled `release-process.ts`
 * @param marks which files were verified before
 * @param signal ends the process
 * @throws Error when a file is missing, of another size, or has other bytes; see also `runApart`
 */
export async function readReleaseApart(
  program: string,
  folder: string,
  marks: string,
  signal: AbortSignal,
  onPart?: PartListener,
): Promise<VerifiedRelease> {
  const table = new ResponseTable(folder);
  const read = await runApart<ReadResult>(program, { kind: 'read', folder, marks }, signal, (part) => {
    table.add(part);
    onPart?.(part);
  });
  return { folder, release: table.release(read.id), marks: read.marks };
}
