import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { makeFolderOf, temporaryFolder } from './build/bank-folder.ts';
import { filesBelow } from './build/release-folder.ts';
import { Trial } from './long/fuzz/content/trial.ts';
import { keptContents } from './long/fuzz/corpus/content.ts';
import { type KeptConnection, keptConnections } from './long/fuzz/corpus/http.ts';
import { withKeys } from './long/fuzz/http/keys.ts';
import type { Known, Prediction } from './long/fuzz/http/model.ts';
import type { Plan } from './long/fuzz/http/plan.ts';
import { play } from './long/fuzz/http/play.ts';
import { startSubject } from './long/fuzz/http/subject.ts';

describe('What fuzzing found on the wire stays mended:', async () => {
  const subject = await startSubject();
  after(() => subject.close());

  for (const kept of keptConnections) {
    it(kept.shows, async () => {
      const { fault } = await play(planOf(kept, subject.known), subject.gateway.port, subject.known);
      assert.equal(fault, undefined);
      assert.deepEqual(subject.gateway.stderrLines, []);
    });
  }
});

describe('What fuzzing found in content stays mended:', async () => {
  const trial = await Trial.in(await temporaryFolder());

  for (const { shows, files, isAccepted } of keptContents) {
    it(shows, async () => {
      const bank = await filesBelow((await makeFolderOf(files)).dir);
      assert.deepEqual(await trial.try(bank, () => 'build'), { isAccepted, fault: undefined });
    });
  }
});

function planOf({ sends, statuses, ending }: KeptConnection, { keys }: Known): Plan {
  return {
    ending,
    sends: sends.map((packets, index) => {
      const texts = packets.map((packet) => withKeys(packet, keys));
      const predictions = (statuses[index] ?? []).map(answeredWith);
      const [first, ...others] = predictions;
      return {
        // All bytes stand in the first item; of the others there are the answers.
        items: [
          { text: texts.join(''), ...(first && { prediction: first }) },
          ...others.map((prediction) => ({ text: '', prediction })),
        ],
        splits: texts.slice(0, -1).map((_, part) => texts.slice(0, part + 1).join('').length),
      };
    }),
  };
}

function answeredWith(status: number): Prediction {
  const request = { method: 'GET', target: '', version: '', fields: [], body: '' };
  return { kind: 'refused', statuses: [status], request, mayBeLimited: false, mayBeMalformed: false };
}
