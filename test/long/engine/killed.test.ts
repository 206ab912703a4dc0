import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Files } from '../../build/bank-folder.ts';
import { verifiedId } from '../../build/verified-release.ts';
import type { CommandResult } from '../../gateway/started-process.ts';
import {
  assertNoDrafts,
  type BuildFolders,
  build,
  buildCold,
  newBuildFolders,
  startBuild,
} from './build-process.ts';
import { callsIn, killAtCall, Range, withoutCoverage } from './kill-points.ts';
import { ContentFolder, editedContents, mediumBank } from './medium-bank.ts';

/** `npm run test:long -- engine` kills two hundred. */
const kills = Number(process.env['KILLS'] ?? 2);

/**
 * Builds three contents in turn in the same folders, and kills each build at a random point: after a random part of the
 * duration of a build, at a file system call (a write then writes half of its bytes), or at one of the calls that
 * switch to the new release. After each kill, the current release must be complete, and be the previous or the new one.
 * The next build, which is not killed, must publish the new one and leave no drafts.
 *
 * @returns how many builds ended before they would have been killed, and after how many the previous release was current,
 *   and the new one
 */
async function killBuilds() {
  const contents = threeContents();
  const folder = await ContentFolder.of(contents[0]);
  const places = await newBuildFolders(folder.dir);
  const expectedId = expectedIds(folder.dir);
  const methods = await killMethods(places);
  const result = { ended: 0, kept: 0, switched: 0 };

  for (let killed = 0, turn = 1; killed < kills; turn += 1) {
    const version = turn % contents.length;
    await folder.update(contents[version] ?? {});
    const before = await verifiedId(places.dist);
    const after = await expectedId(version);
    const kill = methods[Math.floor(Math.random() * methods.length)] ?? assert.fail();
    const { status, stderr } = await kill(places);
    if (status === null) killed += 1;
    else {
      assert.equal(status, 0, stderr);
      result.ended += 1;
    }
    const current = await verifiedId(places.dist);
    assert.ok(current === before || current === after, `${current} is neither of the two releases`);
    result[current === before ? 'kept' : 'switched'] += 1;
    await build(places);
    assert.equal(await verifiedId(places.dist), after);
    await assertNoDrafts(places);
  }
  return result;
}

/** Two very different contents, and one between them. */
function threeContents(): readonly [Files, Files, Files] {
  const start = mediumBank();
  const edited = editedContents(start, 9);
  return [start, edited[4]?.files ?? {}, edited.at(-1)?.files ?? {}];
}

/** The expected release ids, from builds without a cache that are not killed. */
function expectedIds(content: string): (version: number) => Promise<string> {
  const ids = new Map<number, string>();
  return async (version) => {
    const id = ids.get(version) ?? (await verifiedId(await buildCold(content)));
    ids.set(version, id);
    return id;
  };
}

type KillMethod = (places: BuildFolders) => Promise<CommandResult>;

/** Measures with a first build how long a build takes and how many calls it makes. */
async function killMethods(places: BuildFolders): Promise<readonly KillMethod[]> {
  const start = performance.now();
  const { stderr } = await startBuild(places, { preload: [killAtCall] }).ended;
  const time = new Range(performance.now() - start);
  const calls = new Range(callsIn(stderr));
  const atSwitch = new Range(6);
  return [
    async (places) => {
      const [point, start] = [time.random(), performance.now()];
      const started = startBuild(places, { settings: withoutCoverage });
      await Promise.race([delay(point), started.ended]);
      started.process.kill('SIGKILL');
      const ended = await started.ended;
      time.update(ended.status === null ? undefined : performance.now() - start);
      return ended;
    },
    (places) => killedAtCall(places, calls, {}),
    (places) => killedAtCall(places, atSwitch, { KILL_AT_SWITCH: '1' }),
  ];
}

async function killedAtCall(
  places: BuildFolders,
  calls: Range,
  which: Readonly<Record<string, string>>,
) {
  const settings = {
    ...withoutCoverage,
    ...which,
    KILL_AT_CALL: String(Math.ceil(calls.random())),
  };
  const ended = await startBuild(places, { settings, preload: [killAtCall] }).ended;
  calls.update(ended.status === null ? undefined : callsIn(ended.stderr));
  return ended;
}

it(`A build that is killed leaves a complete current release, and the next build publishes its own (${kills} times)`, async (test) => {
  const { ended, kept, switched } = await killBuilds();
  assert.ok(kept + switched >= kills);
  test.diagnostic(
    `${kills} builds were killed, ${ended} ended first; the previous release was current ${kept} times, the new one ${switched} times`,
  );
});
