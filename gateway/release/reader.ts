/**
 * The process that reads a new release while the gateway serves the old one: verifying thousands of files and parsing
 * a manifest of megabytes would hold up requests, and needs memory that a process gives back when it ends.
 */
import { DamagedRelease } from '../../build/release/manifest.ts';
import { verifyRelease } from '../../build/release/verify.ts';
import { piecesOf } from './pieces.ts';
import type { ReleasePiece } from './release.ts';

/** What the process is told to do. */
export interface ReadOrder {
  readonly folder: string;
  /** Marks of what was verified before, joined by spaces. */
  readonly marks: string;
}

/** What it answers: the pieces of the release, then its end; or why there is none. */
export type ReadAnswer =
  | { readonly kind: 'piece'; readonly piece: ReleasePiece }
  | { readonly kind: 'end'; readonly id: string; readonly marks: string }
  | { readonly kind: 'damaged'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

process.once('message', async ({ folder, marks }: ReadOrder) => {
  try {
    const verified = await verifyRelease(folder, new Set(marks.split(' ')));
    for (const piece of piecesOf(verified.manifest)) await tell({ kind: 'piece', piece });
    await tell({ kind: 'end', id: verified.manifest.id, marks: [...verified.marks].join(' ') });
  } catch (error) {
    const { message } = error as Error;
    await tell({ kind: error instanceof DamagedRelease ? 'damaged' : 'failed', message });
  } finally {
    process.disconnect();
  }
});

function tell(answer: ReadAnswer): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(answer, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });
}
