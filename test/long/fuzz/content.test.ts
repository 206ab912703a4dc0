import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { sampleBanks } from './content/bank.ts';
import { emptyTally, makeCase, runCase } from './content/cases.ts';
import { ContentTester } from './content/content-tester.ts';

/** A short run; `npm run test:long -- fuzz` tries a hundred thousand. */
const seed = 'short';
const mutations = 200;

describe('Mutated content', async () => {
  const banks = await sampleBanks();
  const tester = await ContentTester.in(await temporaryFolder());

  it('is rejected with valid locations, or meets the design and is published as designed', async () => {
    const tally = { ...emptyTally };
    for (let number = 1; number <= mutations; number += 1) {
      const failure = await runCase(tester, makeCase(seed, number, banks), tally);
      assert.equal(failure, undefined, `SEED=${seed} CASE=${number} npm run test:long -- fuzz content`);
    }
    // Mutations that break everything or nothing would test nothing.
    assert.ok(tally.accepted > mutations / 10 && tally.rejected > mutations / 10 && tally.built > 0);
  });
});
