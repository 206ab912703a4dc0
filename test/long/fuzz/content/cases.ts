import { Random } from '../random.ts';
import type { Bank } from './bank.ts';
import type { ContentTester, Depth } from './content-tester.ts';
import { mutateBank } from './mutation.ts';

/** A mutated bank, and how deeply it is tested if it is accepted or rejected. */
export interface Case {
  readonly bank: Bank;
  readonly depth: (isAccepted: boolean) => Depth;
}

/** The shares of cases that are built, and that are tested with the commands. */
const shares = { builtIfAccepted: 1 / 40, builtIfRejected: 1 / 400, commanded: 1 / 2500 };

/** Consecutive cases that mutate the same bank, so that few files are written between them. */
const inARow = 50;

/** @param banks the banks to mutate */
export function makeCase(seed: string, number: number, banks: readonly Bank[]): Case {
  const random = new Random(seed, number);
  const sample = banks[Math.floor(number / inARow) % banks.length];
  if (!sample) throw new RangeError('There is no bank.');
  const bank = mutateBank(random, sample);
  const isCommanded = random.chance(shares.commanded);
  const isBuilt = {
    accepted: random.chance(shares.builtIfAccepted),
    rejected: random.chance(shares.builtIfRejected),
  };
  return {
    bank,
    depth: (isAccepted) => {
      if (isCommanded) return 'commands';
      return isBuilt[isAccepted ? 'accepted' : 'rejected'] ? 'build' : 'checks';
    },
  };
}

/** The number of banks by result. */
export interface Tally {
  accepted: number;
  rejected: number;
  /** No folder can contain these files. */
  impossible: number;
  built: number;
  commanded: number;
}

export const emptyTally: Readonly<Tally> = {
  accepted: 0,
  rejected: 0,
  impossible: 0,
  built: 0,
  commanded: 0,
};

/**
 * Tests one case.
 *
 * @param tally is added to
 * @returns the failure, if any
 */
export async function runCase(
  tester: ContentTester,
  { bank, depth }: Case,
  tally: Tally,
): Promise<string | undefined> {
  const { isAccepted, failure } = await tester.try(bank, (accepted) => {
    const deep = depth(accepted);
    if (deep === 'build') tally.built += 1;
    if (deep === 'commands') tally.commanded += 1;
    return deep;
  });
  if (isAccepted === undefined) tally.impossible += 1;
  else if (isAccepted) tally.accepted += 1;
  else tally.rejected += 1;
  return failure;
}
