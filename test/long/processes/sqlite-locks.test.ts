import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'libsql';
import { signedIn } from '../../gateway/auth/users/visitor.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import { type CommandResult, startPastpaper } from '../../gateway/started-process.ts';

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
after(() => rm(folder, { recursive: true }));
const distDir = await sampleRelease();

/** The timeout of a test in milliseconds: long, as requests wait some seconds for a lock. */
const timeout = 60_000;

const person = { email: 'ada@example.org', password: 'a phrase that no one knows' };

type Ask = () => Promise<number>;

interface Fixture {
  /** Requests that need the database, by name; each returns the status. */
  readonly asks: Readonly<Record<'sign-in' | 'key' | 'download', Ask>>;
  /** A request that does not need it. */
  readonly askPublic: Ask;
  /** The connection of this process to the database of the gateway; it does not wait for locks. */
  readonly other: Sqlite.Database;
  stop(): Promise<CommandResult>;
}

let folders = 0;

/** Starts a gateway in another process, and signs a user in. */
async function createFixture(t: TestContext): Promise<Fixture> {
  folders += 1;
  const dataDir = join(folder, `data-${folders}`);
  const started = startPastpaper('gateway', { PORT: '0', DIST_DIR: distDir, DATA_DIR: dataDir });
  t.after(() => started.process.kill('SIGKILL'));
  const [, origin = ''] = await started.waitForOutput(/ at (http:\/\/\S+)\/\n/);
  const ada = await signedIn(`${origin}/auth`, person);
  const created = await ada.post('keys', { name: 'laptop', expiresIn: null });
  const headers = { Authorization: `Bearer ${created.body.key}` };
  const other = new Sqlite(join(dataDir, 'pastpaper.db'));
  t.after(() => other.close());
  other.pragma('busy_timeout = 0');
  return {
    asks: {
      'sign-in': async () => (await ada.signIn(person)).status,
      key: async () => (await ada.post('keys', { name: 'phone', expiresIn: null })).status,
      download: async () => (await fetch(`${origin}/neet/2024/s1/physics.json`, { headers })).status,
    },
    askPublic: async () => (await fetch(`${origin}/neet`)).status,
    other,
    stop() {
      started.process.kill('SIGTERM');
      return started.ended;
    },
  };
}

/** Waits for the background writes of the gateway after a download. */
async function untilWritten(other: Sqlite.Database): Promise<void> {
  other.pragma('busy_timeout = 5000');
  const written = other.prepare(
    'select (select count(*) from usage) > 0 and (select count("lastUsedAt") from keys) > 0 as is_so',
  );
  while ((written.get() as { is_so: number }).is_so !== 1) await delay(20);
  other.pragma('busy_timeout = 0');
}

/** Writes to the database. Fails immediately if the gateway holds a lock. */
function write(other: Sqlite.Database): void {
  other.exec('begin immediate');
  other.exec('update accounts set plan = plan');
  other.exec('commit');
}

describe('While another process writes to the SQLite file', () => {
  for (const kind of ['immediate', 'exclusive']) {
    it(`(begin ${kind}), only requests that need the database wait`, { timeout }, async (t) => {
      const { asks, askPublic, other, stop } = await createFixture(t);
      other.pragma('busy_timeout = 5000');
      other.exec(`begin ${kind}`);
      other.pragma('busy_timeout = 0');
      const answered: string[] = [];
      const asked = Object.entries(asks).map(async ([name, ask]) => {
        const status = await ask();
        answered.push(name);
        return status;
      });
      // Shorter than the lock timeout, and long enough for all three requests to reach the lock.
      await delay(1000);
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

  it('for too long, requests fail with 502 or 503, and no lock is left behind', { timeout }, async (t) => {
    const { asks, askPublic, other, stop } = await createFixture(t);
    other.pragma('busy_timeout = 5000');
    other.exec('begin exclusive');
    other.pragma('busy_timeout = 0');
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
