import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { sampleBanks } from './content/bank.ts';
import { emptyTally, makeCase, runCase } from './content/cases.ts';
import { ContentTester } from './content/content-tester.ts';
import { editQuestions } from './content/mutations/questions.ts';
import { mutateValue } from './content/mutations/values.ts';
import { Random } from './random.ts';

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

  it('may be any JSON', () => {
    const odd: unknown[] = [null, 'x', 1, [], {}, ['x'], [null], [['x']], [{}], { toString: 1 }];
    for (let number = 1; number <= 2000; number += 1) {
      const random = new Random(seed, number);
      const [id, options, passages] = [random.pick(odd), random.pick(odd), random.pick(odd)];
      const paper = { questions: [random.pick(odd), { id, question: id, options }], passages };
      assert.doesNotThrow(() => editQuestions(random, paper), JSON.stringify(paper));
      assert.doesNotThrow(() => mutateValue(random, paper), JSON.stringify(paper));
    }
  });
});
