import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { killPulls } from './killed-pulls.ts';

/** `npm run test:long -- pull` kills a hundred. */
const kills = Number(process.env['KILLS'] ?? 15);

describe('A pull that is killed at any point', () => {
  it(`is continued by the next one, and the mirror has the same bytes (${kills} times)`, async (test) => {
    const { ended, requests } = await killPulls(kills);
    assert.ok(requests > kills);
    test.diagnostic(`${kills} pulls were killed, ${ended} ended first, over ${requests} requests`);
  });
});
