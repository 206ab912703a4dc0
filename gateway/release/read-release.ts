import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { compiledFile } from '../../build/program.js';
import { DamagedRelease } from '../../build/release/manifest.ts';
import { verifyRelease } from '../../build/release/verify.ts';
import { piecesOf } from './pieces.ts';
import type { ReadAnswer, ReadOrder } from './reader.ts';
import { type Release, ReleaseTables } from './release.ts';

/** A release whose files are all as its manifest says. */
export interface ReadRelease {
  readonly release: Release;
  /** What was verified, for the next time; see `verifyRelease`. */
  readonly marks: string;
}

/** Requests go before. */
const readerPriority = 10;

/**
 * Reads the release in a folder in this process, which does nothing else meanwhile.
 *
 * @throws DamagedRelease when a file is missing, of another size, or has other bytes
 */
export async function readRelease(folder: string): Promise<ReadRelease> {
  const { manifest, marks } = await verifyRelease(folder, new Set());
  const tables = new ReleaseTables(folder);
  for (const piece of piecesOf(manifest)) tables.add(piece);
  return { release: tables.release(manifest.id), marks: [...marks].join(' ') };
}

/** Processes that a disk which hangs does not let end: while there are so many, none is started. */
const mostUnended = 3;
let unended = 0;

/**
 * Reads the release in a folder in a process of its own, so that this one goes on.
 *
 * @param marks what was verified before
 * @param signal ends the process
 * @throws DamagedRelease when a file is missing, of another size, or has other bytes
 * @throws Error when the process ends without an answer, or earlier ones have not ended
 */
export async function readReleaseAside(
  folder: string,
  marks: string,
  signal: AbortSignal,
): Promise<ReadRelease> {
  if (unended >= mostUnended) throw new Error('earlier attempts still wait for the disk');
  const reader = fork(await compiledFile('release-reader'), {
    execArgv: [],
    signal,
    // One that waits for a disk ends by nothing less.
    killSignal: 'SIGKILL',
  });
  const tables = new ReleaseTables(folder);
  if (reader.pid !== undefined) unended += 1;
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => {
      reject(error);
      reader.kill('SIGKILL');
    };
    reader.on('message', (answer: ReadAnswer) => {
      switch (answer.kind) {
        case 'piece':
          return tables.add(answer.piece);
        case 'end':
          return resolve({ release: tables.release(answer.id), marks: answer.marks });
        case 'damaged':
          return refuse(new DamagedRelease(answer.message));
        case 'failed':
          return refuse(new Error(answer.message));
      }
    });
    reader.on('error', reject);
    reader.on('exit', (status) => {
      unended -= 1;
      reject(new Error(`its reader ended with ${status}`));
    });
    reader.send({ folder, marks } satisfies ReadOrder);
    if (reader.pid !== undefined) setPriority(reader.pid, readerPriority);
  });
}
