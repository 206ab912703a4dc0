import assert from 'node:assert/strict';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readVerifiedManifest } from '../../../build/release/verify.ts';
import { type Files, temporaryFolder } from '../../build/bank-folder.ts';
import type { Ended } from '../../gateway/started-process.ts';
import { build, buildCold, coldPlaces, type Places, startBuild } from './build-process.ts';
import { ContentFolder } from './content-folder.ts';
import { editedContents } from './edits.ts';
import { mediumBank } from './medium-bank.ts';

/** How a series of killed builds went. */
export interface KilledBuilds {
  /** Builds that ended before the moment at which they would have been killed. */
  readonly ended: number;
  /** After how many the release was the one of before, and after how many the new one. */
  readonly kept: number;
  readonly switched: number;
}

const killAtCall = fileURLToPath(new URL('kill-at-call.mjs', import.meta.url));
// A half-written report of coverage would be of use to nobody.
const uncovered = { NODE_V8_COVERAGE: '' };

/**
 * Builds three contents in turn in one place, and kills each build at a random point: by turns after some of the
 * time that a build takes, at one of its calls to the file system, where a write gets half of its bytes down, and at
 * one of the few calls that switch to the new release. After each, what is current has to be whole, and to be the
 * release of before or the new one; a build that nobody kills has to publish the new one then, and leave nothing of
 * the killed one behind.
 *
 * @param kills how many processes are killed
 */
export async function killBuilds(kills: number): Promise<KilledBuilds> {
  const contents = threeContents();
  const folder = new ContentFolder(await temporaryFolder());
  const places = await coldPlaces(folder.dir);
  const expect = expectations(folder.dir);
  await folder.become(contents[0]);
  const ways = await waysToKill(places);
  const result = { ended: 0, kept: 0, switched: 0 };

  for (let killed = 0, turn = 1; killed < kills; turn += 1) {
    const version = turn % contents.length;
    await folder.become(contents[version] ?? {});
    const before = await currentRelease(places);
    const after = await expect(before.folder, version);
    const way = ways[Math.floor(Math.random() * ways.length)] ?? assert.fail();
    const { status, stderr } = await way(places);
    if (status === null) killed += 1;
    else {
      assert.equal(status, 0, stderr);
      result.ended += 1;
    }
    const current = await currentRelease(places);
    assert.ok(current.id === before.id || current.id === after, `${current.id} was never to be`);
    result[current.id === before.id ? 'kept' : 'switched'] += 1;
    await build(places);
    assert.equal((await currentRelease(places)).id, after);
    await assertNothingLeft(places);
  }
  return result;
}

/** Two contents far apart, and one between them. */
function threeContents(): readonly [Files, Files, Files] {
  const start = mediumBank();
  const edited = editedContents(start, 9);
  return [start, edited[4]?.files ?? {}, edited.at(-1)?.files ?? {}];
}

/** The ids of releases as builds make them that nobody kills, with nothing remembered. */
function expectations(content: string): (predecessor: string, version: number) => Promise<string> {
  const known = new Map<string, string>();
  return async (predecessor, version) => {
    const key = `${version} after ${predecessor}`;
    const id = known.get(key) ?? (await readVerifiedManifest(await buildCold(content, predecessor))).id;
    known.set(key, id);
    return id;
  };
}

async function currentRelease({ dist }: Places): Promise<{ readonly id: string; readonly folder: string }> {
  const folder = await realpath(join(dist, 'current'));
  return { id: (await readVerifiedManifest(folder)).id, folder };
}

type WayToKill = (places: Places) => Promise<Ended>;

/** The first build of these places tells how long one takes, and how many calls it makes. */
async function waysToKill(places: Places): Promise<readonly WayToKill[]> {
  const start = performance.now();
  const { stderr } = await startBuild(places, { preload: [killAtCall] }).ended;
  const time = new Range(performance.now() - start);
  const calls = new Range(callsIn(stderr));
  const atSwitch = new Range(6);
  return [
    async (places) => {
      const [point, start] = [time.random(), performance.now()];
      const started = startBuild(places, { settings: uncovered });
      await Promise.race([delay(point), started.ended]);
      started.process.kill('SIGKILL');
      const ended = await started.ended;
      time.learn(ended.status === null ? undefined : performance.now() - start);
      return ended;
    },
    (places) => killedAtCall(places, calls, {}),
    (places) => killedAtCall(places, atSwitch, { KILL_AT_SWITCH: '1' }),
  ];
}

async function killedAtCall(places: Places, calls: Range, which: Readonly<Record<string, string>>) {
  const settings = { ...uncovered, ...which, KILL_AT_CALL: String(Math.ceil(calls.random())) };
  const ended = await startBuild(places, { settings, preload: [killAtCall] }).ended;
  calls.learn(ended.status === null ? undefined : callsIn(ended.stderr));
  return ended;
}

function callsIn(stderr: string): number {
  return Number(/(\d+) calls\n$/.exec(stderr)?.[1] ?? assert.fail(stderr));
}

/** From nothing to the end of a build, which is not the same for all of them: an end that was seen corrects it. */
class Range {
  #end: number;

  constructor(end: number) {
    this.#end = end;
  }

  random(): number {
    return Math.random() * this.#end;
  }

  /** @param end where the build ended; undefined when it was killed before */
  learn(end: number | undefined): void {
    this.#end = end ?? this.#end * 1.05;
  }
}

/** No draft of any kind, whoever began it. */
async function assertNothingLeft({ dist, data }: Places): Promise<void> {
  for (const folder of [dist, join(dist, 'releases'), data]) {
    const drafts = (await readdir(folder)).filter((name) => name.startsWith('.'));
    assert.deepEqual(drafts, [], folder);
  }
}
