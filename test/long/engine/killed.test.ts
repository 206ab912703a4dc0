import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { killBuilds } from './killed-builds.ts';

/** `npm run test:long -- engine` kills two hundred. */
const kills = Number(process.env['KILLS'] ?? 3);

describe('A build that is killed at any point', () => {
  it(`leaves a complete current release, and the next build publishes its own (${kills} times)`, async (test) => {
    const { ended, kept, switched } = await killBuilds(kills);
    assert.ok(kept + switched >= kills);
    test.diagnostic(
      `${kills} builds were killed, ${ended} ended first; the previous release was current ${kept} times, the new one ${switched} times`,
    );
  });
});
