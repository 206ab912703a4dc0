import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { cp, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { objectPath } from '../../../build/release/objects.ts';
import { readCurrent, readRelease } from '../../../build/release/read.ts';
import { DamagedRelease } from '../../../build/release/root.ts';
import { openCurrentRelease, type Release } from '../../../gateway/release/current-release.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { runGateway } from '../running-gateway.ts';
import { switchTo, writeRelease } from './write-release.ts';

const folder = await temporaryFolder();
const intact = join(folder, 'intact');
const shift = '2024-05-05-s1';
const text = Buffer.from('{"answer":"A"}'.repeat(100));
const json = { mediaType: 'application/json', identity: text };
const compressed = { ...json, br: brotliCompressSync(text), gzip: gzipSync(text) };
const aliases = { neet: { '2024': { [shift]: shift, s1: shift } } };
const biologyPath = `neet/2024/${shift}/biology.json`;

/** Writes a release whose diagram is named like it. */
async function writeNamed(dist: string, name: string): Promise<void> {
  const diagram = { mediaType: 'image/png', identity: Buffer.from(name) };
  const responses = [
    { ...compressed, access: 'public', path: 'robots.txt' },
    { ...json, access: 'public', path: 'neet/2024' },
    { ...compressed, access: 'protected', path: biologyPath },
    { ...diagram, access: 'protected', path: `neet/2024/${shift}/diagrams/a.png` },
  ] as const;
  await writeRelease(dist, name, responses, aliases);
}

await writeNamed(intact, 'made');
await switchTo(intact, 'made');
/** Paths in the dist folder. */
const root = 'releases/made/root.json';
const index = await indexOf('made');
const biology = objectPath(hash('sha256', text));

async function indexOf(name: string): Promise<string> {
  const { root } = await readRelease(intact, name);
  return objectPath(root.years['neet']?.['2024']?.sha256 ?? assert.fail());
}

/** @throws DamagedRelease, also if another release could be served */
async function loadRelease(distDir: string): Promise<Release> {
  const releases = await openCurrentRelease(distDir, () => {});
  await releases.close();
  if (releases.problem !== undefined) throw new DamagedRelease(releases.problem);
  return releases.current;
}

let copies = 0;

/** A copy of the dist folder, changed by `damage`. */
async function damaged(damage: (dist: string) => Promise<unknown>): Promise<string> {
  copies += 1;
  const dist = join(folder, `copy-${copies}`);
  await cp(intact, dist, { recursive: true, verbatimSymlinks: true });
  await damage(dist);
  return dist;
}

describe('A release', () => {
  it('is loaded when its root and its year indexes are undamaged', async () => {
    const { id } = await loadRelease(intact);
    assert.equal((await loadRelease(await damaged(async () => {}))).id, id);
  });

  const damages: readonly (readonly [string, RegExp, (dist: string) => Promise<unknown>])[] = [
    ['has no root', /root\.json is missing/, (dist) => rm(join(dist, root))],
    ['has half a root', /root\.json is not JSON/, (dist) => truncate(join(dist, root), 200)],
    [
      'has a root of another format',
      /not of format \d+/,
      (dist) => writeFile(join(dist, root), 'null'),
    ],
    ['lacks a year index', /objects\/\S+ is missing/, (dist) => rm(join(dist, index))],
    [
      'has a folder in place of a year index',
      /objects\/\S+ cannot be read \(it is no file\)/,
      async (dist) => {
        await rm(join(dist, index));
        await mkdir(join(dist, index));
      },
    ],
  ];
  for (const [fault, message, damage] of damages) {
    it(`is rejected if it ${fault}`, async () => {
      const dist = await damaged(damage);
      await assert.rejects(
        loadRelease(dist),
        (error) => error instanceof DamagedRelease && message.test(error.message),
      );
    });
  }

  it('is rejected if nothing was published', async () => {
    await assert.rejects(loadRelease(join(folder, 'nothing')), /current is missing/);
  });

  it('is rejected if any byte of its root or of a year index is changed', async () => {
    for (const [number, file] of [root, index].entries()) {
      const path = join(intact, file);
      const bytes = await readFile(path);
      for (let step = 0; step < 20; step += 1) {
        const changed = Buffer.from(bytes);
        const at = (number * 7919 + step * 104_729) % bytes.length;
        changed[at] = (changed[at] ?? 0) ^ 0x01;
        await writeFile(path, changed);
        await assert.rejects(loadRelease(intact), DamagedRelease, `${path} at ${at}`);
      }
      await writeFile(path, bytes);
    }
    await loadRelease(intact);
  });
});

describe('A switch', () => {
  const target = {
    kind: 'diagram',
    exam: 'neet',
    year: '2024',
    shift: 's1',
    file: 'a.png',
  } as const;
  const tagOf = (release: Release): string => {
    const found = release.find(target);
    return typeof found === 'object' && 'identity' in found ? found.identity.etag : '';
  };

  it('reads only the year indexes that changed', async () => {
    const dist = await damaged(async () => {});
    const responses = [{ ...json, access: 'public', path: 'robots.txt' } as const];
    const one = { neet: { '2023': {}, '2024': {} } };
    const other = { neet: { '2023': {}, '2024': { s1: shift } } };
    await writeRelease(dist, 'one', responses, one);
    await writeRelease(dist, 'other', responses, other);
    await switchTo(dist, 'one');
    const releases = await openCurrentRelease(dist, () => {});
    after(() => releases.close());
    const { years } = releases.current;
    const same = (await readCurrent(dist)).root.years['neet']?.['2023']?.sha256 ?? assert.fail();
    await rm(join(dist, objectPath(same)));
    await switchTo(dist, 'other');
    await assert.rejects(loadRelease(dist), /is missing/, 'it cannot be read');
    await releases.refresh();
    assert.equal(releases.current.years.get(same), years.get(same));
    assert.equal(releases.current.years.size, 2);
  });

  it('to and from releases of the format before serves their own files', async () => {
    const dist = await damaged(async (copy) => {
      for (const name of ['old', 'older']) await writeOld(copy, name);
    });
    const releases = await openCurrentRelease(dist, () => {});
    after(() => releases.close());
    for (const name of ['old', 'older', 'made', 'older']) {
      await switchTo(dist, name);
      await releases.refresh();
      assert.ok(tagOf(releases.current).includes(hash('sha256', name).slice(0, 8)), name);
    }
  });
});

/** Writes a release of the format before, with one diagram. */
async function writeOld(dist: string, name: string): Promise<void> {
  const path = `neet/2024/${shift}/diagrams/a.png`;
  const file = `protected/${path}`;
  const release = join(dist, 'releases', name);
  await mkdir(join(release, file, '..'), { recursive: true });
  await writeFile(join(release, file), name);
  const identity = { file, size: name.length, sha256: hash('sha256', name) };
  const parts = {
    encoder: 'none',
    public: {},
    protected: { [path]: { mediaType: 'image/png', identity } },
    shifts: aliases,
  };
  const lines = Object.values(parts).map((part) => `${JSON.stringify(part)}\n`);
  const id = hash('sha256', ['2\n', ...lines].join('')).slice(0, 16);
  await writeFile(join(release, 'manifest.json'), JSON.stringify({ format: 2, id, ...parts }));
}

describe('A gateway whose current release is damaged', () => {
  /** The index of the current release is gone; there may be another release. */
  const damagedWith = async (...others: readonly string[]) =>
    damaged(async (copy) => {
      for (const name of others) await writeNamed(copy, name);
      await rm(join(copy, index));
    });
  const repair = (dist: string) => cp(join(intact, index), join(dist, index));

  it('serves the last readable one, logs what is damaged, and returns to the current one', async () => {
    const dist = await damagedWith('previous');
    const logged: string[] = [];
    const releases = await openCurrentRelease(dist, (message) => void logged.push(message));
    const { root } = await readRelease(dist, 'previous');
    assert.equal(releases.current.id, root.id);
    assert.match(
      logged.join('\n'),
      /^The current release cannot be served: objects\/\S+ is missing\. The gateway keeps serving/,
    );
    assert.notEqual(releases.problem, undefined);
    await repair(dist);
    await releases.refresh();
    assert.equal(releases.current.id, (await readRelease(dist, 'made')).root.id);
    assert.equal(releases.problem, undefined);
    await releases.close();
  });

  it('keeps serving a release that is replaced by a damaged one', async () => {
    const dist = await damaged((copy) => writeNamed(copy, 'next'));
    const logged: string[] = [];
    const releases = await openCurrentRelease(dist, (message) => void logged.push(message));
    const { id } = releases.current;
    await truncate(join(dist, 'releases/next/root.json'), 100);
    await switchTo(dist, 'next');
    await releases.refresh();
    assert.equal(releases.current.id, id);
    assert.match(logged.join('\n'), /^The new release cannot be served: root\.json is not JSON/);
    await releases.close();
  });

  it('does not start if there is no readable one, and says in one sentence what is damaged', async () => {
    const dist = await damagedWith();
    await assert.rejects(
      openCurrentRelease(dist, assert.fail),
      (error) => error instanceof DamagedRelease && /^objects\/\S+ is missing$/.test(error.message),
    );
  });

  it('serves all but a damaged body, which is 500, logged and counted until it is repaired', async () => {
    const dist = await damaged(async () => {});
    const gateway = await runGateway({ DIST_DIR: dist });
    const { key } = await gateway.createKey('reader');
    const get = async (path: string) => {
      const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' };
      const response = await fetch(`${gateway.baseUrl}/${path}`, { headers });
      return [response.status, (await response.text()) === text.toString()];
    };
    await replace(join(dist, biology), '"answer":"A"', '"answer":"B"');
    assert.deepEqual(await get(biologyPath), [500, false]);
    assert.deepEqual(await get(`neet/2024/${shift}/diagrams/a.png`), [200, false]);
    assert.match(gateway.logged.join('\n'), /objects\/\S+ does not match its checksum/);
    assert.equal(gateway.gateway.bodies.damaged, 1);
    await cp(join(intact, biology), join(dist, biology));
    assert.deepEqual(await get(biologyPath), [200, true]);
    await rm(join(dist, biology));
    assert.deepEqual(await get(biologyPath), [200, true], 'from memory');
    await gateway.close();
  });
});

async function replace(file: string, search: string, replacement: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  assert.ok(text.includes(search));
  await writeFile(file, text.replace(search, replacement));
}
