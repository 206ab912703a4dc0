import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { makeFolderOf, temporaryFolder } from '../../build/bank-folder.ts';
import { filesBelow } from '../../build/release-folder.ts';
import { type Bank, sampleBanks } from './content/bank.ts';
import { ContentTester, type Depth } from './content/content-tester.ts';
import { mutateBank } from './content/mutation.ts';
import { contentCases } from './corpus/content.ts';
import { Draw, parameters } from './draw.ts';

/** `npm run test:long -- fuzz` tries a hundred thousand. */
const mutations = Number(process.env['MUTATIONS'] ?? 200);

describe('Mutated content', async () => {
  const banks = await sampleBanks();
  const tester = await ContentTester.in(await temporaryFolder());

  it('is rejected with valid locations, or meets the design and is published as designed', async () => {
    const tally = { accepted: 0, rejected: 0, impossible: 0, built: 0 };
    const property = fc.asyncProperty(fc.gen(), async (value) => {
      const draw = Draw.from(value);
      const bank = mutateBank(draw, draw.pick(banks));
      const isCommanded = draw.chance(0.001);
      const isBuilt = draw.chance(0.03);
      const depth = (isAccepted: boolean): Depth => {
        if (isCommanded) return 'commands';
        return isBuilt && (isAccepted || draw.chance(0.1)) ? 'build' : 'checks';
      };
      const { isAccepted, failure } = await tester.try(bank, (accepted) => {
        const chosen = depth(accepted);
        if (chosen === 'build') tally.built += 1;
        return chosen;
      });
      tally[isAccepted === undefined ? 'impossible' : isAccepted ? 'accepted' : 'rejected'] += 1;
      if (failure !== undefined) throw new Error(`${failure}\n${inputOf(bank)}`);
    });
    await fc.assert(property, parameters('content', mutations));
    console.log(`${mutations} mutations: ${JSON.stringify(tally)}`);
    // Mutations that break everything or nothing would test nothing.
    if (process.env['CASE'] !== undefined) return;
    assert.ok(tally.accepted > mutations / 10 && tally.rejected > mutations / 10 && tally.built > 0);
  });

  for (const { name, files, isAccepted } of contentCases) {
    it(`that was once handled wrongly: ${name}`, async () => {
      const bank = await filesBelow((await makeFolderOf(files)).dir);
      assert.deepEqual(await tester.try(bank, () => 'build'), { isAccepted, failure: undefined });
    });
  }
});

/** The files of a bank that are not in the sample bank as they are, for a message. */
function inputOf(bank: Bank): string {
  const files = [...bank].filter(([path]) => path.endsWith('.json'));
  return JSON.stringify(Object.fromEntries(files.map(([path, bytes]) => [path, bytes.toString()])), undefined, 2);
}
