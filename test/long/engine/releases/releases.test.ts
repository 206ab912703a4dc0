import assert from 'node:assert/strict';
import { appendFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { readRelease } from '../../../../build/release/read.ts';
import { gracePeriod, prune } from '../../../../build/release/releases.ts';
import { appendToHistory, switchCurrent } from '../../../../build/release/switch.ts';
import { makeBank, paperPath, temporaryFolder } from '../../../build/bank-folder.ts';
import { type Outcome, runCommand } from '../../../build/command.ts';
import { currentOf, publishedFolder } from '../../../build/release-folder.ts';
import { verifiedRelease } from '../../../build/verified-release.ts';
import { copyFolder } from '../build-process.ts';

/** After each of six builds, each with one more topic: a folder with dist and content, and the names of the releases. */
const stages = await sixBuilds();

async function sixBuilds() {
  const [bank, dist] = [await makeBank(), await temporaryFolder()];
  const names: string[] = [];
  const stages: { readonly folder: string; readonly names: readonly string[] }[] = [];
  for (let number = 1; number <= 6; number += 1) {
    await bank.set(paperPath, '/questions/0/topic', `Topic ${number}`);
    names.push(basename(await publishedFolder(bank.dir, dist)));
    const folder = await temporaryFolder();
    await copyFolder(dist, join(folder, 'dist'));
    await copyFolder(bank.dir, join(folder, 'content'));
    stages.push({ folder, names: [...names] });
  }
  return stages;
}

/** A copy of a stage: the names of its releases are from the first to the current one. */
async function distWith(releases: number) {
  const { folder, names } = stages[releases - 1] ?? assert.fail();
  const own = await temporaryFolder();
  await copyFolder(folder, own);
  return { dist: join(own, 'dist'), names, content: join(own, 'content') };
}

/** The path of the plain form of the paper in a release. */
async function objectOfPaper(dist: string, name: string): Promise<string> {
  const { root, readYear, pathOf } = await readRelease(dist, name);
  const [exam = '', year = '', shift = '', file = ''] = paperPath.split('/');
  const { shifts } = await readYear(root.years[exam]?.[year] ?? assert.fail());
  return pathOf(shifts[shift]?.[file]?.identity ?? assert.fail());
}

function releases(dist: string, ...args: string[]): Promise<Outcome> {
  return runCommand(['releases', ...args], { DIST_DIR: dist });
}

async function namesIn(dist: string): Promise<string[]> {
  return (await readdir(join(dist, 'releases'))).sort();
}

function later(milliseconds: number): Date {
  return new Date(Date.now() + milliseconds);
}

describe('releases list', () => {
  it('shows when every release became current, the current one first', async () => {
    const { dist, names } = await distWith(3);
    const { status, stdout } = await releases(dist, 'list', '--json');
    assert.equal(status, 0);
    const listed = JSON.parse(stdout);
    assert.deepEqual(
      listed.map(({ name, current }: { name: string; current: boolean }) => [name, current]),
      [...names].reverse().map((name, index) => [name, index === 0]),
    );
    assert.equal(listed[0].damage, null);
    assert.ok(Number.isFinite(Date.parse(listed[0].publishedAt)));
    const text = (await releases(dist, 'list')).stdout;
    assert.match(
      text,
      /^RELEASE .*\n[0-9a-f]{16} {2}\d{4}-\d\d-\d\d \d\d:\d\d +current\n[0-9a-f]{16} /,
    );
  });

  it('shows damaged releases', async () => {
    const { dist, names } = await distWith(2);
    const [first = '', second = ''] = names;
    await writeFile(join(dist, 'releases', first, 'root.json'), '{"format":');
    await rm(join(dist, 'releases', second, 'root.json'));
    const { status, stdout } = await releases(dist, 'list');
    assert.equal(status, 0);
    assert.match(
      stdout,
      new RegExp(`${first}.*damaged: root.json is not JSON: it is truncated or was changed\n`),
    );
    assert.match(stdout, new RegExp(`${second}.*current, damaged: \\S+root.json is missing\n`));
  });
});

describe('releases rollback', () => {
  it('switches to the previous release, and then to the one before that', async () => {
    const { dist, names } = await distWith(3);
    const [, second, third] = names;
    const outcome = await releases(dist, 'rollback');
    assert.equal(outcome.stdout, `Release ${second} is current. The previous one was ${third}.\n`);
    assert.equal(outcome.status, 0);
    assert.equal(await currentOf(dist), second);
    const again = await releases(dist, 'rollback', '--json');
    assert.deepEqual(JSON.parse(again.stdout), { from: second, to: third });
    assert.equal(await currentOf(dist), third);
  });

  it('switches to a release by its id', async () => {
    const { dist, names } = await distWith(3);
    const [first = '', , third = ''] = names;
    assert.equal((await releases(dist, 'rollback', first)).status, 0);
    assert.equal(await currentOf(dist), first);
    assert.equal((await releases(dist, 'rollback', third)).status, 0);
    assert.equal(await currentOf(dist), third);
    const already = await releases(dist, 'rollback', third);
    assert.deepEqual(already, {
      status: 0,
      stdout: `Release ${third} is already current.\n`,
      stderr: '',
    });
  });

  const refusals: readonly [
    string,
    (dist: string, names: readonly string[]) => Promise<readonly string[]>,
    RegExp,
  ][] = [
    [
      'a release that is not there',
      async () => ['abc'],
      /^There is no release "abc"\. Run npx pastpaper releases list to see all releases\.\n$/,
    ],
    [
      'a release that is damaged',
      async (dist, [first = '']) => {
        await appendFile(await objectOfPaper(dist, first), ' ');
        return [];
      },
      /^Release \w+ is damaged: objects\/.* has \d+ bytes, not \d+\. The current release is unchanged\.\n$/,
    ],
    [
      'one that nothing is known of',
      async (dist) => {
        await rm(join(dist, 'history'));
        return [];
      },
      /^No release is known to have been current before \w+\.\n$/,
    ],
  ];
  for (const [sentence, prepare, message] of refusals) {
    it(`rejects ${sentence}, and switches nothing`, async () => {
      const { dist, names } = await distWith(2);
      const outcome = await releases(dist, 'rollback', ...(await prepare(dist, names)));
      assert.equal(outcome.status, 1);
      assert.equal(outcome.stdout, '');
      assert.match(outcome.stderr, message);
      assert.equal(await currentOf(dist), names[1]);
    });
  }
});

/** Switches to a release, as a build and a rollback do. */
async function switchTo(dist: string, name: string): Promise<void> {
  await switchCurrent(dist, await verifiedRelease(dist, name), new Date(), undefined);
}

describe('releases prune', () => {
  it('keeps the current release and those that were current last', async () => {
    const { dist, names } = await distWith(5);
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = names;
    await switchTo(dist, first);
    assert.deepEqual(
      [...(await prune(dist, 3, later(2 * gracePeriod))).removed].sort(),
      [second, third].sort(),
    );
    assert.deepEqual(await namesIn(dist), [first, fourth, fifth].sort());
    assert.equal(await currentOf(dist), first);
    for (const name of [first, fourth, fifth]) await verifiedRelease(dist, name);
  });

  it('never removes the current release', async () => {
    const { dist, names } = await distWith(3);
    await prune(dist, 1, later(2 * gracePeriod));
    assert.deepEqual(await namesIn(dist), [names[2]]);
    // Not even without a history.
    const other = await distWith(3);
    await rm(join(other.dist, 'history'));
    await prune(other.dist, 1, later(2 * gracePeriod));
    assert.deepEqual(await namesIn(other.dist), [other.names[2]]);
  });

  it('keeps releases within the grace period, and says why', async () => {
    const { dist, names } = await distWith(3);
    const outcome = await releases(dist, 'prune', '--keep', '1');
    assert.deepEqual([outcome.status, outcome.stderr], [0, '']);
    assert.match(
      outcome.stdout,
      /^(Kept release \w+: it was current or published a moment ago\.\n){2}A gateway may serve a release for 10 minutes after that\./,
    );
    // Published long ago, and current until just now.
    const [first = '', second = '', third = ''] = names;
    const at = later(2 * gracePeriod).toISOString();
    await appendToHistory(dist, { at, from: second, to: third });
    assert.deepEqual(await prune(dist, 1, later(2 * gracePeriod + 1000)), {
      removed: [first],
      recent: [second],
    });
    assert.deepEqual(await namesIn(dist), [second, third].sort());
  });
});
