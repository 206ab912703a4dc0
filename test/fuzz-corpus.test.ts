import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { makeFolderOf, temporaryFolder } from './build/bank-folder.ts';
import { filesBelow } from './build/release-folder.ts';
import { ContentTester } from './long/fuzz/content/content-tester.ts';
import { contentCases } from './long/fuzz/corpus/content.ts';
import { type HttpCase, httpCases } from './long/fuzz/corpus/http.ts';
import { executePlan } from './long/fuzz/http/execute-plan.ts';
import { startGatewayUnderTest } from './long/fuzz/http/gateway-under-test.ts';
import { withKeys } from './long/fuzz/http/keys.ts';
import type { ModelContext, Prediction } from './long/fuzz/http/model.ts';
import type { Plan } from './long/fuzz/http/plan.ts';

describe('HTTP findings of the fuzzer stay fixed:', async () => {
  const underTest = await startGatewayUnderTest();
  after(() => underTest.close());

  for (const httpCase of httpCases) {
    it(httpCase.name, async () => {
      const { failure } = await executePlan(
        planOf(httpCase, underTest.context),
        underTest.gateway.port,
        underTest.context,
      );
      assert.equal(failure, undefined);
      assert.deepEqual(underTest.gateway.stderrLines, []);
    });
  }
});

describe('Content findings of the fuzzer stay fixed:', async () => {
  const tester = await ContentTester.in(await temporaryFolder());

  for (const { name, files, isAccepted } of contentCases) {
    it(name, async () => {
      const bank = await filesBelow((await makeFolderOf(files)).dir);
      assert.deepEqual(await tester.try(bank, () => 'build'), { isAccepted, failure: undefined });
    });
  }
});

function planOf({ sends, statuses, ending }: HttpCase, { keys }: ModelContext): Plan {
  return {
    ending,
    sends: sends.map((packets, index) => {
      const texts = packets.map((packet) => withKeys(packet, keys));
      const predictions = (statuses[index] ?? []).map(predictStatus);
      const [first, ...others] = predictions;
      return {
        // The first item has all bytes; the others have only predictions.
        items: [
          { text: texts.join(''), ...(first && { prediction: first }) },
          ...others.map((prediction) => ({ text: '', prediction })),
        ],
        splits: texts.slice(0, -1).map((_, part) => texts.slice(0, part + 1).join('').length),
      };
    }),
  };
}

function predictStatus(status: number): Prediction {
  const request = { method: 'GET', target: '', version: '', fields: [], body: '' };
  return { kind: 'rejected', statuses: [status], request, mayBeLimited: false, mayBeMalformed: false };
}
