import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'libsql';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { signedIn } from '../../gateway/accounts/users/visitor.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import { startPastpaper } from '../../gateway/started-process.ts';
import { waitUntil } from '../../wait-until.ts';

const distDir = await sampleRelease();

/** Milliseconds. Long, so that only a test that hangs fails. */
const timeout = 900_000;

const person = { email: 'ada@example.org', password: 'a phrase that no one knows' };

/** Starts a gateway in another process, and signs a user in. */
async function createFixture(t: TestContext) {
  const dataDir = await temporaryFolder();
  const started = startPastpaper('gateway', { PORT: '0', DIST_DIR: distDir, DATA_DIR: dataDir });
  t.after(() => started.process.kill('SIGKILL'));
  const [, origin = ''] = await started.waitForOutput(/ at (http:\/\/\S+)\/\n/);
  const ada = await signedIn(`${origin}/auth`, person);
  const created = await ada.post('keys', { name: 'laptop', expiresIn: null });
  const headers = { Authorization: `Bearer ${created.body.key}` };
  const other = new Sqlite(join(dataDir, 'pastpaper.db'));
  t.after(() => other.close());
  other.pragma('busy_timeout = 30000');
  return {
    /** Requests that need the database, by name; each returns the status. */
    asks: {
      'sign-in': async () => (await ada.signIn(person)).status,
      key: async () => (await ada.post('keys', { name: 'phone', expiresIn: null })).status,
      download: async () =>
        (await fetch(`${origin}/neet/2024/s1/physics.json`, { headers })).status,
    },
    /** A request that does not need it. */
    askPublic: async () => (await fetch(`${origin}/neet`)).status,
    /** The connection of this process to the database of the gateway; it waits half a minute for locks. */
    other,
    stop: () => started.stop(),
  };
}

/** Waits for the background writes of the gateway after a download. */
async function untilWritten(other: Sqlite.Database): Promise<void> {
  const written = other.prepare(
    'select (select count(*) from usage) > 0 and (select count("lastUsedAt") from keys) > 0 as is_so',
  );
  await waitUntil(() => (written.get() as { is_so: number }).is_so === 1);
}

/** Writes to the database. Fails if the gateway keeps a lock, but not if it writes at this moment. */
function write(other: Sqlite.Database): void {
  other.exec('begin immediate');
  other.exec('update accounts set plan = plan');
  other.exec('commit');
}

describe('While another process writes to the SQLite file', { timeout }, () => {
  for (const kind of ['immediate', 'exclusive']) {
    it(`(begin ${kind}), only requests that need the database wait`, async (t) => {
      const { asks, askPublic, other, stop } = await createFixture(t);
      other.exec(`begin ${kind}`);
      const answered: string[] = [];
      const asked = Object.entries(asks).map(async ([name, ask]) => {
        const status = await ask();
        answered.push(name);
        return status;
      });
      // Much shorter than the timeout of a key lookup, and long enough for all three requests to reach the lock.
      await delay(300);
      assert.equal(await askPublic(), 200);
      const meanwhile = answered.filter((name) => kind === 'exclusive' || name !== 'download');
      other.exec('rollback');
      assert.deepEqual([meanwhile, await Promise.all(asked)], [[], [200, 201, 200]]);
      await untilWritten(other);
      write(other);
      const { status, stderr } = await stop();
      assert.deepEqual([status, stderr], [0, '']);
    });
  }

  it('for too long, requests fail with 502 or 503, and no lock is left behind', async (t) => {
    const { asks, askPublic, other, stop } = await createFixture(t);
    other.exec('begin exclusive');
    const refused = Promise.all(Object.values(asks).map((ask) => ask()));
    assert.equal(await askPublic(), 200);
    assert.deepEqual(await refused, [503, 503, 502]);
    other.exec('rollback');
    write(other);
    const statuses: number[] = [];
    for (const ask of Object.values(asks)) statuses.push(await ask());
    assert.deepEqual(statuses, [200, 201, 200]);
    await untilWritten(other);
    write(other);
    const { status, stderr } = await stop();
    assert.equal(status, 0);
    assert.doesNotMatch(stderr, /in progress/);
  });
});
