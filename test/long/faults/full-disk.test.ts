/** A gateway whose data folder is on a full disk. Builds on a full disk are tested in test/long/engine/full-disk.test.ts. */
import assert from 'node:assert/strict';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openDatabase } from '../../../gateway/accounts/store/store.ts';
import { serverSettings } from '../../gateway/server-process.ts';
import { type StartedProcess, startCommand } from '../../gateway/started-process.ts';
import { inMountNamespace, noMounts } from '../../mount-namespace.ts';
import { waitUntil } from '../../wait-until.ts';
import { accepted, Load } from '../replicas/load.ts';
import {
  createGatewayFixture,
  type GatewayFixture,
  shortOrLong,
  timeout,
} from './gateway-fixture.ts';

/** Copies the data to a small file system, fills it if the argument is `full`, and runs the gateway. */
const script = `
set -e
data=$1 size=$2 fill=$3; shift 3
mkdir "$data.before"
cp -a "$data/." "$data.before"
mount -t tmpfs -o "size=$size" tmpfs "$data"
cp -a "$data.before/." "$data"
if [ "$fill" = full ]; then dd if=/dev/zero of="$data/full" bs=4096 2>/dev/null || true; fi
exec "$@"
`;

async function startOnSmallDisk(
  fixture: GatewayFixture,
  fill: 'full' | 'room',
): Promise<StartedProcess> {
  const command = [process.execPath, 'build/pastpaper.js', 'gateway'];
  const words = ['/bin/sh', '-c', script, 'sh', fixture.dataDir, '2m', fill, ...command];
  const [program = '', ...args] = [...inMountNamespace, ...words];
  const { distDir: DIST_DIR, dataDir: DATA_DIR } = fixture;
  return startCommand(program, args, await serverSettings({ DIST_DIR, DATA_DIR }));
}

/** Writes until the disk is full. */
async function fillUp(file: string): Promise<void> {
  const fill = async (): Promise<never> => {
    for (;;) await writeFile(file, Buffer.alloc(4096), { flag: 'a' });
  };
  await assert.rejects(fill, { code: 'ENOSPC' });
}

describe('A gateway on a full disk', { skip: noMounts, timeout }, () => {
  it('keeps serving, logs one line, and writes its counts when there is space again', async (t) => {
    const fixture = await createGatewayFixture(t);
    const { id, key } = await fixture.accounts.create('school', 'roomy');
    const { process: child, waitForOutput, output, stop } = await startOnSmallDisk(fixture, 'room');
    t.after(() => child.kill('SIGKILL'));
    const [, origin = ''] = await waitForOutput(/at (http:\/\/\S+)\/\n/);
    // The mount is visible only to the gateway and its children.
    const disk = join(`/proc/${child.pid}/root`, fixture.dataDir);
    const load = new Load(origin, key, 4);
    const times = (line: string) => output.stderr.split(line).length - 1;
    for (let round = 1; round <= shortOrLong(1, 10); round += 1) {
      await load.waitForRequests(100);
      await fillUp(join(disk, 'full'));
      await waitUntil(
        () => times('Usage could not be written. The gateway retries until it can.') === round,
      );
      await load.waitForRequests(1000);
      await rm(join(disk, 'full'));
      await waitUntil(() => times('Usage can be written again.') === round);
    }
    const requests = await load.end();
    assert.deepEqual(new Set(requests.map(({ status }) => status)), new Set([200]));
    // The mount disappears with the gateway, so its content is read before.
    await waitUntil(
      async () =>
        (await countedIn(disk, join(fixture.folder, 'copy'), id)) === accepted(requests).length,
    );
    const { status, stderr } = await stop();
    assert.equal(status, 0);
    const lines = stderr.trim().split('\n');
    assert.ok(lines.length <= shortOrLong(1, 10) * 4, stderr);
    t.diagnostic(
      `${requests.length} responses, all 200 and all counted; ${lines.length} lines in the log`,
    );
  });

  it('does not start, reports why, and exits with 2', async (t) => {
    const fixture = await createGatewayFixture(t);
    const { ended } = await startOnSmallDisk(fixture, 'full');
    const { status, stderr } = await ended;
    assert.match(
      stderr,
      /^The database \S+pastpaper\.db cannot be used: database or disk is full\n$/,
    );
    assert.equal(status, 2);
  });
});

/** An account's usage in a copy of the database, which may have been copied during a write. */
async function countedIn(disk: string, copy: string, account: string): Promise<number | undefined> {
  await rm(copy, { recursive: true, force: true });
  await mkdir(copy);
  const file = join(copy, 'pastpaper.db');
  await copyFile(join(disk, 'pastpaper.db'), file);
  const database = await openDatabase({ kind: 'sqlite', file });
  try {
    const rows = await database
      .selectFrom('usage')
      .select('used')
      .where('account', '=', account)
      .execute();
    return rows.reduce((sum, { used }) => sum + used, 0);
  } catch {
    return undefined;
  } finally {
    await database.destroy();
  }
}
