import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type SetUp, skipOf } from './running-gateway.ts';
import { startCommand } from './started-process.ts';

/** Beside the one that the specification is held against by itself, embedded on SQLite: all that is otherwise is met in it. */
const furthest: readonly SetUp[] = ['service-redis'];
/** `npm run specification:all` */
const all: readonly SetUp[] = [...furthest, 'service-sqlite', 'service-postgres', 'embedded-redis'];
const setUps = process.env['SET_UPS'] === 'all' ? all : furthest;

describe('The specification holds', () => {
  for (const setUp of setUps) {
    it(`in the set-up ${setUp}`, { skip: skipOf(setUp) }, async () => {
      const { TEST_DATABASE_URL = '' } = process.env;
      const settings = { SET_UP: setUp, ...(TEST_DATABASE_URL && { TEST_DATABASE_URL }) };
      const { status, stdout, stderr } = await startCommand('npm', ['run', 'specification'], settings).ended;
      assert.equal(status, 0, `${stdout}\n${stderr}`);
    });
  }
});
