import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { zipSync } from 'fflate';
import { sha256Of } from '../../../build/client/checksums.ts';
import { Bank } from '../../../build/client/client.ts';
import { connect } from '../../../build/client/connection.ts';
import { synchronize } from '../../../build/client/sync.ts';
import { makeBank, shiftPath, temporaryFolder } from '../bank-folder.ts';
import { everyFieldFiles } from '../every-field.ts';
import { svg } from '../image-bytes.ts';
import { filesBelow } from '../release-folder.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { below, mirrorFiles, type PullRun, pullHere, serve, smallBank } from './served-bank.ts';

const shift = 'neet/2024/2024-03-01-s1';
const pedigree = `${shift}/diagrams/neet-2024-03-01-s1-biology-17-pedigree.svg`;
const circuit = `${shift}/diagrams/neet-2024-03-01-s1-physics-04-circuit.svg`;
const rays = `${shift}/diagrams/neet-2024-03-01-s1-physics-12-rays.png`;
const manifest = '.pull-manifest.jsonl';

const bank = await smallBank('neet', 'jeemain/exam.json', 'jeemain/2024');
const first = await serve(bank);
const { key } = await first.running.createKey('reader');

// The next release: a question and its diagram are changed, and one of another exam.
await bank.set(`${shift}/biology.json`, '/questions/5/topic', 'Reproduction');
await bank.write(pedigree, svg(640, 480));
await bank.set('jeemain/2024/2024-01-01-s1/physics.json', '/questions/0/topic', 'Gravitation');
const changed = await serve(bank, first);

// And one without a subject, and without a shift.
await bank.remove(`${shift}/physics.json`);
await bank.remove(circuit);
await bank.remove(rays);
await bank.remove('neet/2024/2024-01-01-s1');
const smaller = await serve(bank, first);

// Another bank, with a translation, and diagrams of an option and of a passage.
const drawn = await serve(await makeBank(everyFieldFiles), first);

const proxy = await startFaultProxy(first.url);
after(() => proxy.close());

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  proxy.setUpstream(first.url);
  proxy.intercept(() => undefined);
});

const requested = () => proxy.requests.map(({ path }) => path);

describe('A sync mirrors the service', () => {
  it('with three requests, one of which counts, and again with one when nothing changed', async () => {
    const opened = await Bank.open(proxy.url, { key });
    proxy.requests.length = 0;
    const result = await opened.sync(folder, { exam: 'neet', years: [2026] });
    assert.deepEqual(requested(), ['/neet/2026', '/neet/2026/2026-01-01-s1.zip', '/neet/2026']);
    assert.deepEqual(await mirrorFiles(folder), below('neet/2026', first.files));
    assert.equal(result.downloaded.papers, result.papers);
    proxy.requests.length = 0;
    await opened.sync(folder, { exam: 'neet', years: [2026] });
    assert.deepEqual(requested(), ['/neet/2026']);
  });

  it('with translations, and diagrams of options and passages', async () => {
    proxy.setUpstream(drawn.url);
    await pullSample('neet');
    const files = await mirrorFiles(folder);
    assert.deepEqual(files, drawn.files);
    const names = ['p1-car.svg', 'q1-a.png', 'q1-axes.svg', 'q1-b.svg'].map(
      (name) => `diagrams/${name}`,
    );
    assert.deepEqual(
      [...files.keys()].filter((path) => path.startsWith(shiftPath)).sort(),
      ['chemistry.json', ...names, 'physics.hi.json', 'physics.json'].map(
        (name) => `${shiftPath}/${name}`,
      ),
    );
  });

  it('below the root of its host, and sends the key only with requests that require it', async () => {
    const prefixed = await startFaultProxy(first.url, '/bank/api');
    const { problem } = await pullHere(prefixed.url, 'jeemain/2024', folder, { key });
    await prefixed.close();
    assert.equal(problem, '');
    assert.deepEqual(await mirrorFiles(folder), below('jeemain/2024', first.files));
    for (const { path, headers } of prefixed.requests) {
      const expected = path.endsWith('.zip') ? `Bearer ${key}` : undefined;
      assert.equal(headers.authorization, expected, path);
    }
  });
});

describe('A sync into an existing mirror', () => {
  it('requests the pack of a shift that changed, and writes only what differs', async () => {
    await pullSample('neet/2024');
    proxy.setUpstream(changed.url);
    const { downloaded } = await pullSample('neet/2024');
    assert.deepEqual(requested(), ['/neet/2024', `/${shift}.zip`, '/neet/2024']);
    assert.deepEqual([downloaded.papers, downloaded.diagrams], [1, 1]);
    assert.deepEqual(await mirrorFiles(folder), below('neet/2024', changed.files));
  });

  it('writes again what was changed, replaced, truncated or lost on disk', async () => {
    await pullSample('neet/2024');
    const biology = below('neet/2024', first.files).get(`${shift}/biology.json`);
    await writeFile(join(folder, shift, 'biology.json'), '{"questions":[]}');
    // A valid paper in place of another one.
    await writeFile(join(folder, shift, 'chemistry.json'), biology ?? '');
    await truncate(join(folder, circuit), 10);
    await rm(join(folder, rays));
    const { downloaded } = await pullSample('neet/2024');
    assert.deepEqual([downloaded.papers, downloaded.diagrams], [2, 2]);
    assert.deepEqual(await mirrorFiles(folder), below('neet/2024', first.files));
  });

  it('continues without a manifest, or with half a line in it, and removes old drafts', async () => {
    await pullSample('neet/2024');
    const draft = join(folder, '.draft-of-a-killed-process');
    await writeFile(draft, 'half');
    await utimes(draft, 0, 0);
    for (const text of ['', '{"file":"neet/2024/2024-0']) {
      await writeFile(join(folder, manifest), text);
      const { problem, downloaded } = await pullSample('neet/2024');
      assert.deepEqual([problem, downloaded.papers, downloaded.diagrams], ['', 0, 0]);
    }
    proxy.setUpstream(smaller.url);
    await pullSample('neet/2024');
    assert.deepEqual(await mirrorFiles(folder), below('neet/2024', smaller.files));
  });

  it('may run beside another one of the same process', async () => {
    for (const other of ['jeemain', 'neet']) {
      folder = await temporaryFolder();
      for (const release of [first, smaller]) {
        proxy.setUpstream(release.url);
        const ends = await Promise.all([pullSample(other), pullSample('neet')]);
        assert.deepEqual(
          ends.map(({ problem }) => problem),
          ['', ''],
        );
        const expected = [...below(other, release.files), ...below('neet', release.files)];
        assert.deepEqual(await mirrorFiles(folder), new Map(expected));
        const files = await filesBelow(folder);
        const listed = String(files.get(manifest)).match(/(?<=^\{"file":").*(?="\}$)/gm);
        files.delete(manifest);
        assert.deepEqual(new Set(listed?.sort()), new Set(files.keys()));
      }
    }
  });

  it('ends complete after interruptions at 50 moments, with one request for what was stored', async () => {
    proxy.intercept((path) =>
      path === '/docs/checksums.txt' ? { kind: 'respond', response: { status: 200 } } : undefined,
    );
    proxy.requests.length = 0;
    const stop = new Error('interrupted');
    for (let moment = 0; moment < 50; moment += 1) {
      let left = moment;
      // Before each file that is verified.
      const has = () => {
        left -= 1;
        if (left < 0) throw stop;
        return true;
      };
      const settings = { exam: 'neet', years: [2024], verify: () => ({ has }) as never };
      await synchronize(connect(proxy.url, key), folder, settings).catch((error: Error) =>
        assert.equal(error, stop),
      );
    }
    assert.deepEqual(
      requested().filter((path) => path.endsWith('.zip')),
      ['/neet/2024/all.zip'],
    );
    assert.deepEqual(await mirrorFiles(folder), below('neet/2024', first.files));
  });
});

describe('A file that the service no longer has', () => {
  it('is removed from the mirror', async () => {
    await pullSample('neet');
    proxy.setUpstream(smaller.url);
    const { removed } = await pullSample('neet/2024');
    const [before, after] = [first, smaller].map(({ files }) => below('neet/2024', files).size);
    assert.equal(removed, Number(before) - Number(after));
    const others = below('neet/2026', first.files);
    const left = [...others, ...below('neet/2024', smaller.files)];
    assert.deepEqual(await mirrorFiles(folder), new Map(left.sort(([a], [b]) => (a < b ? -1 : 1))));
  });

  it('stays if it is outside the scope of the sync', async () => {
    await pullSample('neet/2024');
    proxy.setUpstream(smaller.url);
    await pullSample('jeemain/2024');
    const expected = [...below('jeemain/2024', smaller.files), ...below('neet/2024', first.files)];
    assert.deepEqual(await mirrorFiles(folder), new Map(expected));
  });

  it('stays if anything else failed', async () => {
    await pullSample('neet/2024');
    await rm(join(folder, shift, 'biology.json'));
    proxy.setUpstream(smaller.url);
    proxy.intercept((path) =>
      path.endsWith('.zip') ? { kind: 'respond', response: { status: 403 } } : undefined,
    );
    assert.notEqual((await pullSample('neet/2024')).problem, '');
    const expected = below('neet/2024', first.files);
    expected.delete(`${shift}/biology.json`);
    assert.deepEqual(await mirrorFiles(folder), expected);
  });

  it('is removed without files that no sync wrote, whatever a manifest says', async () => {
    await pullSample('neet/2024');
    const outside = join(await temporaryFolder(), 'outside.json');
    await writeFile(outside, 'mine');
    const own = [
      'notes.txt',
      `neet/2024/2024-01-01-s1/notes.txt`,
      'neet/2024/2024-02-01-s1/physics.json',
    ];
    for (const path of own) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), 'mine');
    }
    const tampered = ['../outside.json', 'neet/2024/../../../outside.json', outside, 'neet/2024/x'];
    const lines = [...tampered, 7].map((file) => `${JSON.stringify({ file })}\n`);
    await writeFile(join(folder, manifest), lines.join(''), { flag: 'a' });
    proxy.setUpstream(smaller.url);
    await pullSample('neet/2024');
    const files = await mirrorFiles(folder);
    assert.deepEqual(
      own.map((path) => String(files.get(path))),
      ['mine', 'mine', 'mine'],
    );
    assert.equal(files.size, own.length + below('neet/2024', smaller.files).size);
    assert.ok(await stat(outside));
  });
});

describe('A folder with other files', () => {
  it('is left unchanged if a file of the mirror would replace one of them', async () => {
    await mkdir(join(folder, shift), { recursive: true });
    await writeFile(join(folder, shift, 'physics.json'), '{"mine":true}');
    const { problem } = await pullSample('neet/2024');
    assert.match(problem, /physics\.json already exists and was not written by a pull/);
    assert.deepEqual([...(await filesBelow(folder)).keys()], [`${shift}/physics.json`]);
    assert.deepEqual(requested(), ['/neet/2024']);
  });
});

describe('A release published during a sync', () => {
  it('is what the mirror contains in the end, whenever it is published', async () => {
    for (let at = 1; at <= 4; at += 1)
      for (const last of [changed, smaller]) {
        folder = await temporaryFolder();
        proxy.setUpstream(first.url);
        let asked = 0;
        proxy.intercept(() => {
          asked += 1;
          if (asked === at) proxy.setUpstream(last.url);
          return undefined;
        });
        assert.equal((await pullSample('neet')).problem, '', `switched at request ${at}`);
        assert.deepEqual(await mirrorFiles(folder), below('neet', last.files), `request ${at}`);
      }
  });

  it('may lack a shift whose pack is about to be requested', async () => {
    await pullSample('neet/2024');
    await rm(join(folder, 'neet/2024/2024-01-01-s1'), { recursive: true });
    proxy.intercept((path) => {
      if (path.endsWith('.zip')) proxy.setUpstream(smaller.url);
      return undefined;
    });
    assert.equal((await pullSample('neet/2024')).problem, '');
    assert.deepEqual(await mirrorFiles(folder), below('neet/2024', smaller.files));
  });

  it('is waited for, up to a limit, while metadata and papers belong to different releases', async () => {
    // Like a cache in front of the service with the metadata of the previous release.
    const stale = await (await fetch(`${first.url}/neet/2024`)).text();
    proxy.setUpstream(changed.url);
    const headers = { 'content-type': 'application/json' };
    const response = { status: 200, headers, body: Buffer.from(stale) };
    proxy.intercept((path) => (path === '/neet/2024' ? { kind: 'respond', response } : undefined));
    const { problem } = await pullSample('neet/2024');
    assert.equal(problem, `${shift}: its papers do not match the checksum of the shift.`);
    assert.equal(requested().filter((path) => path === '/neet/2024').length, 8);
    proxy.intercept(() => undefined);
    assert.equal((await pullSample('neet/2024')).problem, '');
  });
});

it('Nothing is written of a pack that does not match the metadata, or outside the mirror', async () => {
  const files = Object.fromEntries(below('neet/2026', first.files));
  const path = Object.keys(files).find((file) => file.endsWith('.json')) ?? '';
  const wrong = { ...files, [path]: Buffer.from('{}'), '../outside.json': Buffer.from('x') };
  const response = { status: 200, body: Buffer.from(zipSync(wrong)) };
  proxy.intercept((asked) => (asked.endsWith('.zip') ? { kind: 'respond', response } : undefined));
  assert.match((await pullSample('neet/2026')).problem, /not for/);
  assert.deepEqual([...(await mirrorFiles(folder)).keys()], []);
  await assert.rejects(stat(join(folder, '../outside.json')));
});

it('SHA-256 of the client is that of Node.js, at every length', () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = Buffer.alloc(length, length);
    assert.equal(sha256Of(bytes), createHash('sha256').update(bytes).digest('hex'));
  }
});

/** Pulls through the proxy, whose list of requests is cleared before. */
function pullSample(what: string): Promise<PullRun> {
  proxy.requests.length = 0;
  return pullHere(proxy.url, what, folder, { key });
}
