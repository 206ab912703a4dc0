import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { SetUp } from '../../gateway/running-gateway.ts';
import { repository } from '../../gateway/started-process.ts';
import { runSpecification } from '../rows.ts';

/** The set-ups that differ most from the default, one process with SQLite, which test/specification uses. */
const short: readonly SetUp[] = ['service-redis', 'embedded-workers'];
/** `npm run test:long -- set-ups` */
const all: readonly SetUp[] = [...short, 'service-sqlite', 'service-postgres', 'embedded-redis'];
const names = readdirSync(join(repository, 'test/specification'))
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -'.test.ts'.length));
const setUps = process.env['SET_UPS'] === 'all' ? all : short;

describe('The specification', () => {
  for (const setUp of setUps) {
    it(`is met in the set-up ${setUp}`, async () => {
      const { TEST_DATABASE_URL = '' } = process.env;
      const settings = { SET_UP: setUp, ...(TEST_DATABASE_URL && { TEST_DATABASE_URL }) };
      const { status, stdout, stderr } = await runSpecification(names, settings);
      assert.equal(status, 0, `${stdout}\n${stderr}`);
      assert.ok(Number(/^# pass (\d+)$/m.exec(stdout)?.[1]) > 60, stdout);
    });
  }
});
