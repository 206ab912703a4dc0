/** A process that tries every so many of the cases; what goes wrong in it, or makes it hang, is told by its parent. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleBanks } from './bank.ts';
import { makeCase, noneTried, type Tally, tryCase } from './cases.ts';
import { Trial } from './trial.ts';

export interface WorkOrder {
  readonly seed: string;
  readonly first: number;
  readonly last: number;
  /** From one case to the next. */
  readonly step: number;
}

/** What a worker tells: the case that it begins, what is wrong with it, and the end. */
export type WorkNews =
  | { readonly kind: 'begins'; readonly number: number }
  | { readonly kind: 'fault'; readonly number: number; readonly fault: string }
  | { readonly kind: 'end'; readonly tally: Tally };

process.once('message', async ({ seed, first, last, step }: WorkOrder) => {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-fuzz-'));
  const tally = { ...noneTried };
  try {
    const [trial, banks] = await Promise.all([Trial.in(folder), sampleBanks()]);
    for (let number = first; number <= last; number += step) {
      tell({ kind: 'begins', number });
      const fault = await tryCase(trial, makeCase(seed, number, banks), tally);
      if (fault !== undefined) {
        tell({ kind: 'fault', number, fault });
        return;
      }
    }
    tell({ kind: 'end', tally });
  } finally {
    await rm(folder, { recursive: true });
    process.disconnect();
  }
});

function tell(news: WorkNews): void {
  process.send?.(news);
}
