import { Random } from '../random.ts';
import type { Bank } from './bank.ts';
import { mutated } from './mutation.ts';
import type { Depth, Trial } from './trial.ts';

/** A mutated bank, and how far it is tried if it is accepted or refused. */
export interface Case {
  readonly bank: Bank;
  readonly depth: (isAccepted: boolean) => Depth;
}

/** One of so many is built, and one of so many is handed to the commands in processes of their own. */
const shares = { builtIfAccepted: 1 / 40, builtIfRefused: 1 / 400, commanded: 1 / 2500 };

/** Cases that begin with the same bank: little has to be written from one to the next. */
const inARow = 50;

/** @param banks what is mutated */
export function makeCase(seed: string, number: number, banks: readonly Bank[]): Case {
  const random = new Random(seed, number);
  const sample = banks[Math.floor(number / inARow) % banks.length];
  if (!sample) throw new RangeError('There is no bank.');
  const bank = mutated(random, sample);
  const isCommanded = random.chance(shares.commanded);
  const isBuilt = {
    accepted: random.chance(shares.builtIfAccepted),
    refused: random.chance(shares.builtIfRefused),
  };
  return {
    bank,
    depth: (isAccepted) => {
      if (isCommanded) return 'commands';
      return isBuilt[isAccepted ? 'accepted' : 'refused'] ? 'build' : 'checks';
    },
  };
}

/** How many banks fared how. */
export interface Tally {
  accepted: number;
  refused: number;
  /** No folder can hold them. */
  impossible: number;
  built: number;
  commanded: number;
}

export const noneTried: Readonly<Tally> = { accepted: 0, refused: 0, impossible: 0, built: 0, commanded: 0 };

/**
 * Tries one case.
 *
 * @param tally is added to
 * @returns the fault
 */
export async function tryCase(
  trial: Trial,
  { bank, depth }: Case,
  tally: Tally,
): Promise<string | undefined> {
  const { isAccepted, fault } = await trial.try(bank, (accepted) => {
    const deep = depth(accepted);
    if (deep === 'build') tally.built += 1;
    if (deep === 'commands') tally.commanded += 1;
    return deep;
  });
  if (isAccepted === undefined) tally.impossible += 1;
  else if (isAccepted) tally.accepted += 1;
  else tally.refused += 1;
  return fault;
}
