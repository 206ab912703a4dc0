import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { postgres } from './keys/engines.ts';
import { startCommand } from './started-process.ts';

/** Set-ups other than the one that the specification is held against by itself. */
const setUps = [
  { setUp: 'service-sqlite', skip: false },
  { setUp: 'service-postgres', skip: postgres.skip },
] as const;

describe('The specification holds', () => {
  for (const { setUp, skip } of setUps) {
    it(`in the set-up ${setUp}`, { skip }, async () => {
      const { TEST_DATABASE_URL = '' } = process.env;
      const settings = { SET_UP: setUp, ...(TEST_DATABASE_URL && { TEST_DATABASE_URL }) };
      const { status, stdout, stderr } = await startCommand('npm', ['run', 'specification'], settings).ended;
      assert.equal(status, 0, `${stdout}\n${stderr}`);
    });
  }
});
