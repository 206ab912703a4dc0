import assert from 'node:assert/strict';
import {
  appendFile,
  cp,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { DamagedRelease } from '../../../build/release/manifest.ts';
import { openCurrentRelease } from '../../../gateway/release/current-release.ts';
import type { Release } from '../../../gateway/release/response-table.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { runGateway } from '../running-gateway.ts';
import { switchTo, writeRelease } from './write-release.ts';

const folder = await temporaryFolder();
const intact = join(folder, 'intact');
const shift = '2024-05-05-s1';
const text = Buffer.from('{"answer":"A"}'.repeat(100));
const json = { mediaType: 'application/json', identity: text };
const compressed = { ...json, br: brotliCompressSync(text), gzip: gzipSync(text) };
const release = await writeRelease(
  intact,
  'made',
  [
    { ...compressed, access: 'public', path: 'robots.txt' },
    { ...json, access: 'public', path: 'neet/2024.json' },
    { ...compressed, access: 'protected', path: `neet/2024/${shift}/biology.json` },
    { ...json, access: 'protected', path: `neet/2024/${shift}/diagrams/a.png` },
  ],
  { neet: { '2024': { [shift]: shift, s1: shift } } },
);
await switchTo(intact, 'made');

/** @throws DamagedRelease, also if a part of it could be served */
async function loadRelease(distDir: string): Promise<Release> {
  const releases = await openCurrentRelease(distDir, () => {});
  await releases.close();
  if (releases.problem !== undefined) throw new DamagedRelease(releases.problem);
  return releases.current;
}

let copies = 0;

/** A copy of the release, changed by `damage`. */
async function damaged(damage: (release: string) => Promise<unknown>): Promise<string> {
  copies += 1;
  const dist = join(folder, `copy-${copies}`);
  await cp(release, join(dist, 'releases', 'copy'), { recursive: true });
  await symlink('releases/copy', join(dist, 'current'));
  await damage(join(dist, 'releases', 'copy'));
  return dist;
}

const biology = 'protected/neet/2024/2024-05-05-s1/biology.json';

describe('A release', () => {
  it('is loaded when every file matches its manifest', async () => {
    const { id } = await loadRelease(intact);
    assert.equal((await loadRelease(await damaged(async () => {}))).id, id);
  });

  it('has the paths of one public and one protected resource as examples', async () => {
    const { examples } = await loadRelease(intact);
    assert.deepEqual(examples, { open: 'neet/2024', closed: `neet/2024/s1/biology.json` });
  });

  const damages: readonly (readonly [string, RegExp, (release: string) => Promise<unknown>])[] = [
    [
      'has no manifest',
      /manifest\.json is missing/,
      (release) => rm(join(release, 'manifest.json')),
    ],
    [
      'has an empty manifest',
      /manifest\.json is not JSON/,
      (release) => truncate(join(release, 'manifest.json')),
    ],
    [
      'has half a manifest',
      /manifest\.json is not JSON/,
      (release) => truncate(join(release, 'manifest.json'), 200),
    ],
    [
      'has a manifest of another format',
      /not of format \d+/,
      (release) => writeFile(join(release, 'manifest.json'), 'null'),
    ],
    [
      'has a changed manifest',
      /does not match its own checksum/,
      (release) => replace(join(release, 'manifest.json'), 'biology', 'biologz'),
    ],
    ['lacks a file', /biology\.json is missing/, (release) => rm(join(release, biology))],
    [
      'lacks a compressed file',
      /biology\.json\.br is missing/,
      (release) => rm(join(release, `${biology}.br`)),
    ],
    [
      'has a truncated file',
      /biology\.json has 10 bytes, not/,
      (release) => truncate(join(release, biology), 10),
    ],
    [
      'has a longer file',
      /biology\.json has \d+ bytes, not/,
      (release) => appendFile(join(release, biology), ' '),
    ],
    [
      'has a file with a changed answer',
      /biology\.json does not match its checksum/,
      (release) => replace(join(release, biology), '"answer":"A"', '"answer":"B"'),
    ],
    [
      'has a folder in place of a file',
      /biology\.json cannot be read \(EISDIR\)/,
      async (release) => {
        await rm(join(release, biology));
        await cp(join(release, 'public'), join(release, biology), { recursive: true });
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

  it('is rejected if current points to nothing', async () => {
    const dist = await damaged((release) => rm(release, { recursive: true }));
    await assert.rejects(loadRelease(dist), DamagedRelease);
  });

  it('is rejected if any byte of any file is changed', async () => {
    const files = (await readdir(release, { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile(),
    );
    for (const [index, entry] of files.entries()) {
      const path = join(entry.parentPath, entry.name);
      const bytes = await readFile(path);
      for (let step = 0; step < 3; step += 1) {
        const changed = Buffer.from(bytes);
        const at = (index * 7919 + step * 104_729) % bytes.length;
        changed[at] = (changed[at] ?? 0) ^ 0x01;
        await writeFile(path, changed);
        await assert.rejects(loadRelease(intact), DamagedRelease, `${path} at ${at}`);
      }
      await writeFile(path, bytes);
    }
    await loadRelease(intact);
  });
});

describe('A gateway whose current release is damaged', () => {
  const damagedTwice = async () => {
    const dist = await damaged((copy) => rm(join(copy, biology)));
    const previous = join(dist, 'releases/previous');
    await cp(release, previous, { recursive: true });
    return { dist, previous };
  };

  it('serves the last intact one, logs which file is damaged, and returns to the current one', async () => {
    const { dist } = await damagedTwice();
    const logged: string[] = [];
    const releases = await openCurrentRelease(dist, (message) => void logged.push(message));
    assert.equal(releases.folder, join(dist, 'releases/previous'));
    assert.match(
      logged.join('\n'),
      /^The current release cannot be served: \S+biology\.json is missing\. The gateway keeps/,
    );
    assert.equal(releases.isRejecting, true);
    await cp(join(release, biology), join(dist, 'releases/copy', biology));
    await releases.reload();
    assert.equal(releases.folder, join(dist, 'releases/copy'));
    assert.equal(releases.isRejecting, false);
    await releases.close();
  });

  it('serves the rest of it without an intact one, and all of it once it is repaired', async () => {
    const { dist, previous } = await damagedTwice();
    await rm(join(previous, 'manifest.json'));
    const gateway = await runGateway({ DIST_DIR: dist });
    const { key } = await gateway.createKey('reader');
    const get = async (path: string) => {
      const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' };
      const response = await fetch(`${gateway.baseUrl}/${path}`, { headers });
      return [response.status, (await response.text()) === text.toString()];
    };
    const damagedPath = `neet/2024/${shift}/biology.json`;
    assert.deepEqual(await get(damagedPath), [500, false]);
    assert.deepEqual(await get(`neet/2024/${shift}/diagrams/a.png`), [200, true]);
    assert.match(
      gateway.logged.join('\n'),
      /has damaged files, which are not served: \S+biology\.json is missing\./,
    );
    await cp(join(release, biology), join(dist, 'releases/copy', biology));
    assert.deepEqual(await get(damagedPath), [200, true]);
    await gateway.close();
  });

  it('says so as long as it is served, also if no link names it any more', async () => {
    const { dist, previous } = await damagedTwice();
    await rm(previous, { recursive: true });
    const releases = await openCurrentRelease(dist, () => {});
    await rm(join(dist, 'current'));
    await releases.refresh();
    assert.equal(releases.isRejecting, true);
    await releases.reload();
    assert.equal(releases.isRejecting, true);
    await releases.close();
  });

  it('does not start without an intact manifest', async () => {
    const { dist, previous } = await damagedTwice();
    for (const folder of [previous, join(dist, 'current')]) await rm(join(folder, 'manifest.json'));
    await assert.rejects(openCurrentRelease(dist, assert.fail), /manifest\.json is missing/);
  });
});

async function replace(file: string, search: string, replacement: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  assert.ok(text.includes(search));
  await writeFile(file, text.replace(search, replacement));
}
