/** A data folder on a file system that gets full. The build on one is in test/long/engine/full-disk.test.ts. */
import assert from 'node:assert/strict';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openDatabase } from '../../../gateway/auth/store/store.ts';
import { type StartedProcess, startCommand } from '../../gateway/started-process.ts';
import { noMounts, ownMounts } from '../../own-mounts.ts';
import { accepted, Load } from '../replicas/load.ts';
import { plans } from '../soak/accounts.ts';
import { type FaultPlace, makeFaultPlace } from './fault-place.ts';
import { rounds } from './rounds.ts';
import { until } from './until.ts';

const timeout = rounds(60_000, 300_000);

/** Copies the data onto a small disk of its own, fills that where it is told to, and becomes the gateway. */
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

async function startOnSmallDisk(place: FaultPlace, fill: 'full' | 'room'): Promise<StartedProcess> {
  const PLANS = join(place.folder, 'plans.json');
  await writeFile(PLANS, JSON.stringify(plans));
  const command = [process.execPath, 'build/pastpaper.js', 'gateway'];
  const words = ['/bin/sh', '-c', script, 'sh', place.dataDir, '2m', fill, ...command];
  const [program = '', ...args] = [...ownMounts, ...words];
  const settings = { PORT: '0', NODE_ENV: 'production', DIST_DIR: place.distDir, DATA_DIR: place.dataDir };
  return startCommand(program, args, { ...settings, PLANS });
}

/** Takes all room that is left. */
async function fillUp(file: string): Promise<void> {
  const piece = Buffer.alloc(4096);
  for (;;) {
    const isFull = await writeFile(file, piece, { flag: 'a' }).then(
      () => false,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOSPC') return true;
        throw error;
      },
    );
    if (isFull) return;
  }
}

describe('On a full disk, a gateway', { skip: noMounts }, () => {
  it('answers on, says so in one line, and writes its counts when there is room', { timeout }, async (t) => {
    const place = await makeFaultPlace(t);
    const { id, key } = await place.accounts.create('school', 'roomy');
    const { process: child, printed, ended } = await startOnSmallDisk(place, 'room');
    t.after(() => child.kill('SIGKILL'));
    let logged = '';
    child.stderr?.on('data', (text: string) => {
      logged += text;
    });
    const [, origin = ''] = await printed(/at (http:\/\/\S+)\/\n/);
    // The disk as only the gateway and its children see it.
    const disk = join(`/proc/${child.pid}/root`, place.dataDir);
    const load = new Load(origin, key, 4);
    const times = (line: string) => logged.split(line).length - 1;
    for (let round = 1; round <= rounds(1, 10); round += 1) {
      await load.grow(100);
      await fillUp(join(disk, 'full'));
      await until(() => times('Usage could not be written; it is tried again until it can.') === round);
      await load.grow(1000);
      await rm(join(disk, 'full'));
      await until(() => times('Usage is written again.') === round);
    }
    const made = await load.end();
    assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([200]));
    // The disk is gone with the gateway: what it holds is looked at before.
    await until(
      async () => (await countedIn(disk, join(place.folder, 'copy'), id)) === accepted(made).length,
    );
    child.kill('SIGTERM');
    const { status, stderr } = await ended;
    assert.equal(status, 0);
    const told = stderr.trim().split('\n');
    assert.ok(told.length <= rounds(1, 10) * 4, stderr);
    t.diagnostic(`${made.length} answers, all 200, and all counted; ${told.length} lines in the log`);
  });

  it('does not start, and says why', { timeout }, async (t) => {
    const place = await makeFaultPlace(t);
    const { ended } = await startOnSmallDisk(place, 'full');
    const { status, stderr } = await ended;
    assert.match(stderr, /^The database \S+pastpaper\.db cannot be used: database or disk is full\n$/);
    assert.equal(status, 2);
  });
});

/** What a database counts of an account, by a copy of it that may have been made in the midst of a change. */
async function countedIn(disk: string, copy: string, account: string): Promise<number | undefined> {
  await rm(copy, { recursive: true, force: true });
  await mkdir(copy);
  const file = join(copy, 'pastpaper.db');
  await copyFile(join(disk, 'pastpaper.db'), file);
  const database = await openDatabase({ kind: 'sqlite', file }, 5000);
  try {
    const rows = await database.selectFrom('usage').select('used').where('account', '=', account).execute();
    return rows[0]?.used;
  } catch {
    return undefined;
  } finally {
    await database.destroy();
  }
}
