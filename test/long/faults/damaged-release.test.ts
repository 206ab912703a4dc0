/** Files of each kind that change after the release was loaded. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  createGatewayFixture,
  flipBit,
  get,
  paths,
  positions,
  shiftFolder,
  shortOrLong,
  timeout,
} from './gateway-fixture.ts';

/** A file of each kind in the release, the request that it is sent for, and the coding. */
const kinds = [
  ['public/neet', paths.public, 'identity'],
  [`${shiftFolder}/physics.json`, paths.paper, 'identity'],
  [`${shiftFolder}/physics.json.br`, paths.paper, 'br'],
  [`${shiftFolder}/physics.json.gz`, paths.paper, 'gzip'],
  [`${shiftFolder}/diagrams/small.png`, paths.small, 'identity'],
  [`${shiftFolder}/diagrams/large.png`, paths.large, 'identity'],
] as const;

describe('A release with one flipped bit', { timeout }, () => {
  it('that appears after loading is detected: the response is a 500, or is cut off if it has begun', async (t) => {
    const fixture = await createGatewayFixture(t);
    const { key } = await fixture.accounts.create('reader', 'roomy');
    const { origin, stop } = await fixture.start();
    const seen = new Map<string, number>();
    for (const [file, path, coding] of kinds) {
      const damaged = join(fixture.release, file);
      const whole = await readFile(damaged);
      for (const at of positions(whole.length, shortOrLong(15, 300))) {
        await flipBit(damaged, at);
        const outcome: string = await get(origin, path, key, { 'accept-encoding': coding }).then(
          ({ status }) => String(status),
          () => 'cut off',
        );
        assert.equal(outcome, file.endsWith('large.png') ? 'cut off' : '500', `${file} at ${at}`);
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
        await flipBit(damaged, at);
      }
      const restored = await get(origin, path, key, { 'accept-encoding': coding });
      assert.ok(restored.status === 200 && restored.bytes.equals(whole), file);
    }
    assert.equal(await stop(), 0);
    t.diagnostic([...seen].map(([outcome, count]) => `${outcome}: ${count}`).join(', '));
  });
});
