/** The specification suite against three gateways behind nginx. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '../../gateway/clock.ts';
import { revokeKey } from '../../gateway/keys/revoke-key.ts';
import { calendarOf } from '../../gateway/limits/calendar.ts';
import { beyond, failedRows } from '../build/hosts/rows.ts';
import { startCommand } from '../gateway/started-process.ts';
import { Fleet, noFleet, plans } from './fleet.ts';

const sections = ['authentication', 'endpoints', 'errors', 'limits', 'resources'];

describe('The specification on three gateways behind nginx', { skip: noFleet }, () => {
  it('is kept in every row', async (t) => {
    const fleet = await Fleet.start();
    t.after(() => fleet.close());
    const revoked = await fleet.createKey('reader', 'roomy');
    await revokeKey(fleet.database, systemClock, revoked.id);
    const suite = startCommand(
      process.execPath,
      [
        ...['--import', 'tsx', '--test', '--test-reporter=tap', '--test-concurrency=1'],
        ...sections.map((name) => `test/specification/${name}.test.ts`),
      ],
      {
        BASE_URL: fleet.baseUrl,
        API_KEY: (await fleet.createKey('reader', 'roomy')).key,
        FREE_API_KEY: (await fleet.createKey('visitor', 'free')).key,
        SPENT_API_KEY: await spentKey(fleet),
        REVOKED_API_KEY: revoked.key,
      },
    );
    const { stdout } = await suite.ended;
    assert.deepEqual(failedRows(stdout), beyond.nginx, stdout);
    assert.ok(Number(/^# pass (\d+)$/m.exec(stdout)?.[1]) > 60, stdout);
  });
});

/** A key of an account that has used its month. */
async function spentKey(fleet: Fleet): Promise<string> {
  const { key } = await fleet.createKey('busy', 'free');
  const { id } = await fleet.database
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', 'busy')
    .executeTakeFirstOrThrow();
  const { month } = calendarOf(Date.now());
  await fleet.redis.ask('HSET', `pastpaper:{${id}}:${month}`, 'used', String(plans.free.perMonth));
  return key;
}
