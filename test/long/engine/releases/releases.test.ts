import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { readRelease } from '../../../../build/release/read.ts';
import { gracePeriod, prune } from '../../../../build/release/releases.ts';
import { appendToHistory, readHistory, switchCurrent } from '../../../../build/release/switch.ts';
import { makeBank, paperPath, temporaryFolder } from '../../../build/bank-folder.ts';
import { assertNoStackTrace, type Outcome, runCommand } from '../../../build/command.ts';
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

  it('reports that there are no releases', async () => {
    const dist = join(await temporaryFolder(), 'none');
    const none = { status: 0, stdout: 'There are no releases.\n', stderr: '' };
    assert.deepEqual(await releases(dist, 'list'), none);
    assert.equal((await releases(dist, 'list', '--json')).stdout, '[]\n');
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

  it('does not affect the next build', async () => {
    const { dist, names, content } = await distWith(2);
    await releases(dist, 'rollback');
    await publishedFolder(content, dist);
    assert.notEqual(await currentOf(dist), names[0]);
    await verifiedRelease(dist);
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
    ['no name', async () => [''], /^There is no release ""\./],
    [
      'a release that is damaged',
      async (dist, [first = '']) => {
        await appendFile(await objectOfPaper(dist, first), ' ');
        return [];
      },
      /^Release \w+ is damaged: objects\/.* has \d+ bytes, not \d+\. The current release is unchanged\.\n$/,
    ],
    [
      'one that was removed',
      async (dist, [first = '']) => {
        await rm(join(dist, 'releases', first), { recursive: true });
        return [];
      },
      /^Release \w+, which was current before, has been removed\.\n$/,
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

  it('fails without a release', async () => {
    const stderr = 'No release is current. Give the id of a release.\n';
    assert.deepEqual(await releases(await temporaryFolder(), 'rollback'), {
      status: 1,
      stdout: '',
      stderr,
    });
  });
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

  it('removes only the drafts of killed processes', async () => {
    const { dist, names } = await distWith(1);
    const draft = (pid: number) => `.draft-${pid}-00000000-0000-4000-8000-000000000000`;
    await mkdir(join(dist, 'releases', draft(2 ** 30)));
    await mkdir(join(dist, 'releases', draft(process.ppid)));
    assert.equal((await releases(dist, 'prune')).stdout, 'There is nothing to remove.\n');
    assert.deepEqual(await namesIn(dist), [draft(process.ppid), names[0]]);
  });

  it('may run several times concurrently', async () => {
    const { dist, names } = await distWith(6);
    const pruned = await Promise.all([1, 2, 3].map(() => prune(dist, 2, later(2 * gracePeriod))));
    assert.deepEqual(pruned.flatMap(({ removed }) => removed).sort(), names.slice(0, 4).sort());
    assert.deepEqual(await namesIn(dist), names.slice(4).sort());
  });
});

describe('The history of the switches', () => {
  it('has one line for each switch', async () => {
    const { dist, names, content } = await distWith(2);
    await publishedFolder(content, dist);
    const [first, second] = names;
    const history = await readHistory(dist);
    assert.deepEqual(
      history.map(({ from, to }) => `${from} to ${to}`),
      [`null to ${first}`, `${first} to ${second}`],
    );
  });

  it('survives a line that was cut short', async () => {
    const dist = await temporaryFolder();
    const entry = { at: '2026-01-01T00:00:00.000Z', to: 'a', from: null };
    await appendToHistory(dist, entry);
    await appendFile(join(dist, 'history'), '{"at":"2026-01-0');
    await appendToHistory(dist, { ...entry, to: 'b', from: 'a' });
    assert.deepEqual(
      (await readHistory(dist)).map(({ to }) => to),
      ['a', 'b'],
    );
    assert.equal((await readFile(join(dist, 'history'), 'utf8')).split('\n').length, 4);
  });

  it('does not mislead a rollback after a killed switch', async () => {
    const { dist, names } = await distWith(3);
    const [first = '', second, third = ''] = names;
    await appendToHistory(dist, { at: new Date().toISOString(), to: first, from: third });
    await releases(dist, 'rollback');
    assert.equal(await currentOf(dist), second);
  });

  it('has one line for each of several concurrent switches', async () => {
    const { dist, names } = await distWith(3);
    await Promise.all(names.flatMap((name) => [name, name]).map((name) => switchTo(dist, name)));
    assert.ok((await readHistory(dist)).every(({ to }) => names.includes(to)));
    assert.ok(names.includes(await currentOf(dist)));
    assert.deepEqual(
      (await readdir(dist)).filter((name) => name.startsWith('.')),
      [],
    );
  });

  it('is not affected by links of killed switches, which are removed', async () => {
    const { dist } = await distWith(1);
    const stray = `.draft-${2 ** 30}-00000000-0000-4000-8000-000000000000`;
    await symlink('releases/none', join(dist, stray));
    await switchTo(dist, await currentOf(dist));
    assert.deepEqual(
      (await readdir(dist)).filter((name) => name.startsWith('.')),
      [],
    );
  });
});

describe('releases used wrongly', () => {
  const wrong: readonly [readonly string[], RegExp][] = [
    [[], /^Missing command\.\n/],
    [
      ['remove'],
      /^Unknown command "remove"\. Available commands: list, rollback, prune, push, pull, verify\.\n/,
    ],
    [['list', 'all'], /^Unexpected argument "all"\.\n/],
    [['rollback', 'a', 'b'], /^Unexpected argument "b"\.\n/],
    [['prune', '--keep', '0'], /^--keep must be a whole number from 1, not "0"\.\n/],
    [['prune', '--keep', '1.5'], /^--keep must be a whole number from 1, not "1\.5"\.\n/],
    [['list', '--keep', '2'], /^Unknown option "--keep"\.\n/],
  ];
  for (const [args, message] of wrong) {
    it(`exits with 2: ${args.join(' ')}`, async () => {
      const outcome = await releases(await temporaryFolder(), ...args);
      assert.equal(outcome.status, 2);
      assert.match(outcome.stderr, message);
      assertNoStackTrace(outcome);
    });
  }
});
