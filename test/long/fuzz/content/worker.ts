/** A worker process that tests a share of the cases. Its parent reports failures and hangs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleBanks } from './bank.ts';
import { emptyTally, makeCase, runCase, type Tally } from './cases.ts';
import { ContentTester } from './content-tester.ts';

export interface WorkerTask {
  readonly seed: string;
  readonly first: number;
  readonly last: number;
  /** The difference between the numbers of two cases. */
  readonly step: number;
}

/** Messages of a worker: the start of a case, a failure, and the end. */
export type WorkerMessage =
  | { readonly kind: 'begins'; readonly number: number }
  | { readonly kind: 'failure'; readonly number: number; readonly failure: string }
  | { readonly kind: 'end'; readonly tally: Tally };

process.once('message', async ({ seed, first, last, step }: WorkerTask) => {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-fuzz-'));
  const tally = { ...emptyTally };
  try {
    const [tester, banks] = await Promise.all([ContentTester.in(folder), sampleBanks()]);
    for (let number = first; number <= last; number += step) {
      send({ kind: 'begins', number });
      const failure = await runCase(tester, makeCase(seed, number, banks), tally);
      if (failure !== undefined) {
        send({ kind: 'failure', number, failure });
        return;
      }
    }
    send({ kind: 'end', tally });
  } finally {
    await rm(folder, { recursive: true });
    process.disconnect();
  }
});

function send(message: WorkerMessage): void {
  process.send?.(message);
}
