import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { sampleBanks } from './content/bank.ts';
import { makeCase, noneTried, tryCase } from './content/cases.ts';
import { Trial } from './content/trial.ts';

/** A short run; `npm run test:long -- fuzz` has a hundred thousand. */
const seed = 'short';
const mutations = 200;

describe('However content is mutated', async () => {
  const banks = await sampleBanks();
  const trial = await Trial.in(await temporaryFolder());

  it('it is refused at a place that is there, or is as the design has it, and so is what is published', async () => {
    const tally = { ...noneTried };
    for (let number = 1; number <= mutations; number += 1) {
      const fault = await tryCase(trial, makeCase(seed, number, banks), tally);
      assert.equal(fault, undefined, `SEED=${seed} CASE=${number} npm run test:long -- fuzz content`);
    }
    // A fuzzer that breaks everything, or nothing, tries nothing.
    assert.ok(tally.accepted > mutations / 10 && tally.refused > mutations / 10 && tally.built > 0);
  });
});
