/** Releases whose push, pull or switch is killed, and whose bits flip: what is served meanwhile, and what repairs them. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { main } from '../../../build/cli.ts';
import { inParallel } from '../../../build/release/files.ts';
import { gracePeriod, prune } from '../../../build/release/releases.ts';
import { DamagedRelease } from '../../../build/release/root.ts';
import { changesPath } from '../../../build/release/urls.ts';
import { makeBank, temporaryFolder } from '../../build/bank-folder.ts';
import { currentOf, filesBelow, publishTexts, richFiles } from '../../build/release-folder.ts';
import { type RunningGateway, runGateway } from '../../gateway/running-gateway.ts';
import { startCommand } from '../../gateway/started-process.ts';
import { runInProcess } from '../../in-process.ts';
import { startS3 } from '../../store/s3-server.ts';
import { flipBit, get } from '../faults/gateway-fixture.ts';
import { readServedRelease } from '../fuzz/http/stored-release.ts';
import { callsIn, killAtCall, Range, withoutCoverage } from './kill-points.ts';

/** `npm run test:long -- engine` kills two hundred processes, and flips a thousand bits. */
const kills = Number(process.env['KILLS'] ?? 6);
const flips = Number(process.env['FLIPS'] ?? 40);

/** Bits that flip before a repair. */
const flipsAtOnce = 20;

const s3 = await startS3();
after(() => s3.close());

/** A response as an intact release has it. */
interface Expected {
  readonly path: string;
  readonly coding: string;
  readonly body: Buffer;
}

/** The responses of the current release. The feed of changes, which is of no release, changes with each switch. */
async function responsesOf(distDir: string): Promise<readonly Expected[]> {
  const bodies = await readServedRelease(distDir);
  return bodies
    .filter(({ path }) => path !== changesPath)
    .map(({ path, coding, bytes }) => ({ path, coding, body: bytes }));
}

/** Requests every response: those that are complete must have the right bytes. @returns how many are not complete */
async function failedResponses(
  { baseUrl }: RunningGateway,
  key: string,
  expected: readonly Expected[],
) {
  let failed = 0;
  await inParallel(expected, 8, async ({ path, coding, body }) => {
    // A large body is cut off.
    const response = await get(baseUrl, `/${path}`, key, { 'accept-encoding': coding }).catch(
      () => undefined,
    );
    if (response?.status === 200) assert.ok(response.bytes.equals(body), `${path} in ${coding}`);
    else failed += 1;
    assert.ok([undefined, 200, 500].includes(response?.status), `${path}: ${response?.status}`);
  });
  return failed;
}

function anyOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] ?? assert.fail();
}

/** Runs a command, which must succeed. */
async function run(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  const { status, stdout, stderr } = await runInProcess(main, args, env);
  assert.equal(status, 0, `${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/**
 * Copies two releases in turn from a folder to a store, and from there to the folder of a gateway. Kills a random one of
 * the commands at a random call or request, checks what the gateway and the store have, and runs the command again.
 *
 * @returns how many of each command were killed, how many ended before, and the number of responses that were compared
 */
async function killTransfers() {
  const [built, copy, store] = [
    await temporaryFolder(),
    await temporaryFolder(),
    `${s3.bucket}/killed`,
  ];
  const settings = (DIST_DIR: string) => ({ ...s3.env, DIST_DIR, DATA_DIR: built });
  const releases = (dist: string, ...args: string[]) => run(settings(dist), 'releases', ...args);
  const texts = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`text${index}`, `${index}`]),
  );
  const expected = new Map<string, readonly Expected[]>();
  for (const changing of ['One ', 'Other ']) {
    const id = await publishTexts(built, {
      ...texts,
      changing: changing.repeat(500),
      another: changing,
    });
    expected.set(id, await responsesOf(built));
    await releases(built, 'push', store);
    await releases(copy, 'pull', store);
  }
  const ids = [...expected.keys()].sort();
  const gateway = await runGateway({ DIST_DIR: copy }, 'in-real-time');
  const { key } = await gateway.createKey('reader');
  const prepareOf = {
    push: (id: string) => releases(built, 'rollback', id),
    pull: async (id: string) => {
      await releases(built, 'rollback', id);
      await releases(built, 'push', store);
      // Its objects, too.
      const { removed } = await prune(copy, 1, new Date(Date.now() + 2 * gracePeriod));
      assert.deepEqual(removed, [id]);
    },
    rollback: async () => {},
  };
  const ranges = new Map<string, Range>();
  const result = { push: 0, pull: 0, rollback: 0, ended: 0, compared: 0 };

  /** @returns whether it was killed, and did not end before */
  async function kill(
    dist: string,
    args: readonly string[],
    at: 'call' | 'switch' | 'request',
  ): Promise<boolean> {
    const name = `${args[0]} ${at}`;
    const range = ranges.get(name) ?? new Range(20);
    ranges.set(name, range);
    const point = Math.ceil(range.random());
    const which = {
      ...(at !== 'request' && { KILL_AT_CALL: `${point}` }),
      ...(at === 'switch' && { KILL_AT_SWITCH: '1' }),
    };
    const command = ['--import', killAtCall, 'build/pastpaper.js', 'releases', ...args];
    const started = startCommand(process.execPath, command, {
      ...settings(dist),
      ...withoutCoverage,
      ...which,
    });
    let requests = 0;
    s3.respond = (_method: string, _key: string, response: ServerResponse) => {
      requests += 1;
      if (at !== 'request' || requests !== point) return false;
      started.process.kill('SIGKILL');
      // Some requests take effect although their sender is gone.
      const isLost = Math.random() < 0.5;
      if (isLost) response.destroy();
      return isLost;
    };
    const { status, stderr } = await started.ended;
    s3.respond = () => false;
    assert.ok(status === null || status === 0, stderr);
    range.update(status === null ? undefined : at === 'request' ? requests : callsIn(stderr));
    return status === null;
  }

  async function check(): Promise<void> {
    await releases(copy, 'verify', store);
    await gateway.gateway.releases?.refresh();
    const responses = expected.get(gateway.gateway.releases?.current.id ?? '') ?? assert.fail();
    assert.equal(await failedResponses(gateway, key, responses), 0);
    result.compared += responses.length;
  }

  while (result.push + result.pull + result.rollback < kills) {
    const action = anyOf(['push', 'pull', 'rollback'] as const);
    const dist = action === 'push' ? built : copy;
    const before = await currentOf(dist);
    const target = ids.find((id) => id !== before) ?? assert.fail();
    await prepareOf[action](target);
    const args = [action, action === 'rollback' ? target : store];
    const isKilled = await kill(
      dist,
      args,
      anyOf(action === 'rollback' ? ['call', 'switch'] : ['call', 'switch', 'request']),
    );
    result[isKilled ? action : 'ended'] += 1;
    await check();
    await releases(dist, ...args);
    await check();
    assert.equal(await currentOf(dist), target);
    assert.deepEqual((await readdir(join(dist, 'releases'))).sort(), ids);
  }
  await gateway.close();
  return result;
}

/**
 * Flips bits of a release, requests every response of a gateway that serves it and of one that starts, repairs it with
 * one command, and verifies it.
 *
 * @returns the number of responses that were compared, and of those that were refused
 */
async function flipBits() {
  const [bank, dist, store] = [
    await makeBank(richFiles),
    await temporaryFolder(),
    `${s3.bucket}/flipped`,
  ];
  const env = {
    ...s3.env,
    CONTENT_DIR: bank.dir,
    DIST_DIR: dist,
    DATA_DIR: await temporaryFolder(),
  };
  await run(env, 'build');
  await run(env, 'releases', 'push', store);
  const responses = await responsesOf(dist);
  // Nearly every response is read from the disk.
  const start = () => runGateway({ DIST_DIR: dist, CACHE_BYTES: '1024' }, 'in-real-time');
  const gateway = await start();
  const { key } = await gateway.createKey('reader');
  const result = { compared: 0, refused: 0, refusedStarts: 0 };
  const repairs = [
    ['build', '--repair'],
    ['releases', 'pull', store],
  ];
  for (let flipped = 0; flipped < flips; ) {
    const release = join('releases', await currentOf(dist), '');
    const files = [...(await filesBelow(dist))].filter(
      ([file, bytes]) =>
        bytes.length > 0 && (file.startsWith('objects') || file.startsWith(release)),
    );
    for (let count = 0; count < flipsAtOnce && flipped < flips; count += 1) {
      const [file, { length }] = anyOf(files);
      await flipBit(join(dist, file), Math.floor(Math.random() * length));
      flipped += 1;
    }
    result.refused += await failedResponses(gateway, key, responses);
    const starting = await start().catch((error) => {
      assert.ok(error instanceof DamagedRelease, error);
    });
    if (starting) {
      const own = await starting.createKey('reader');
      result.refused += await failedResponses(starting, own.key, responses);
      await starting.close();
    } else result.refusedStarts += 1;
    await run(env, ...(repairs[(flipped / flipsAtOnce) % 2] ?? []));
    await run(env, 'verify');
    await gateway.gateway.releases?.refresh();
    assert.equal(await failedResponses(gateway, key, responses), 0);
    result.compared += (starting ? 3 : 2) * responses.length;
  }
  await gateway.close();
  return result;
}

describe('A release', () => {
  it(`whose push, pull or switch is killed is served and stored undamaged, and the same command completes it (${kills} times)`, async (test) => {
    const { compared, ended, ...killed } = await killTransfers();
    const counts = Object.entries(killed).map(([name, count]) => `${count} × ${name}`);
    test.diagnostic(
      `killed ${counts.join(', ')}; ${ended} ended first; ${compared} responses compared`,
    );
  });

  it(`with flipped bits is never served with them, and one command repairs it (${flips} bits)`, async (test) => {
    const { compared, refused, refusedStarts } = await flipBits();
    assert.ok(refused > 0);
    test.diagnostic(
      `${compared} responses compared, ${refused} refused; ${refusedStarts} gateways did not start`,
    );
  });
});
