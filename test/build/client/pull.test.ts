import assert from 'node:assert/strict';
import { mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { makeBank, shiftPath, temporaryFolder } from '../bank-folder.ts';
import { everyFieldFiles } from '../every-field.ts';
import { svg } from '../image-bytes.ts';
import { filesBelow } from '../release-folder.ts';
import { startFaultProxy } from './fault-proxy.ts';
import {
  below,
  mirrorFiles,
  type PullRun,
  problemsOf,
  pullHere,
  type ServedBank,
  serve,
  smallBank,
} from './served-bank.ts';

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

describe('A pull mirrors the service', () => {
  it('downloads translations, and diagrams of options and passages, once', async () => {
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
    await pullSample('neet');
    assert.deepEqual(protectedRequests(), []);
  });

  it('sends the key only with requests that require it', async () => {
    await pullSample('jeemain/2024');
    const [open, closed] = [
      proxy.requests.filter(({ path }) => !isProtected(path)),
      protectedRequests(),
    ];
    assert.deepEqual(
      new Set(open.map(({ headers }) => headers.authorization)),
      new Set([undefined]),
    );
    assert.deepEqual(
      new Set(closed.map(({ headers }) => headers.authorization)),
      new Set([`Bearer ${key}`]),
    );
  });

  it('supports a service below the root of its host', async () => {
    const prefixed = await startFaultProxy(first.url, '/bank/api');
    const { end } = await pullHere(prefixed.url, 'jeemain/2024', folder, { key });
    await prefixed.close();
    assert.equal(end.kind, 'complete');
    assert.deepEqual(await mirrorFiles(folder), below('jeemain/2024', first.files));
  });
});

describe('A pull into an existing mirror', () => {
  it('downloads one changed paper and its changed diagram, and requests the others of the shift', async () => {
    await pullSample('neet/2024');
    proxy.setUpstream(changed.url);
    const { papers, diagrams } = await pullSample('neet/2024');
    assert.deepEqual([papers, diagrams], [1, 1]);
    assert.deepEqual(await mirrorFiles(folder), below('neet/2024', changed.files));
    assert.deepEqual(
      protectedRequests().map(({ path, status }) => `${path} ${status}`),
      [
        `/${shift}.zip 404`,
        `/${shift}/physics.json 200`,
        `/${shift}/chemistry.json 200`,
        `/${shift}/biology.json 200`,
        `/${pedigree} 200`,
      ],
    );
  });

  it('downloads again what was changed, replaced, truncated or lost on disk', async () => {
    await pullSample('neet/2024');
    const biology = below('neet/2024', first.files).get(`${shift}/biology.json`);
    await writeFile(join(folder, shift, 'biology.json'), '{"questions":[]}');
    // A valid paper in place of another one.
    await writeFile(join(folder, shift, 'chemistry.json'), biology ?? '');
    await truncate(join(folder, circuit), 10);
    await rm(join(folder, rays));
    await pullSample('neet/2024');
    const papers = ['biology', 'chemistry'].map((subject) => `${shift}/${subject}.json`);
    assert.deepEqual(downloads(), [...papers, circuit, rays]);
    assert.deepEqual(await mirrorFiles(folder), below('neet/2024', first.files));
  });

  it('continues without a manifest, or with half a line in it', async () => {
    await pullSample('neet/2024');
    for (const text of ['', '{"file":"neet/2024/2024-0']) {
      await writeFile(join(folder, manifest), text);
      const { end, papers, diagrams } = await pullSample('neet/2024');
      assert.deepEqual([end.kind, papers, diagrams], ['complete', 0, 0]);
    }
    proxy.setUpstream(smaller.url);
    await pullSample('neet/2024');
    assert.deepEqual(await mirrorFiles(folder), below('neet/2024', smaller.files));
  });

  it('may run twice at the same time', async () => {
    const ends = await Promise.all([pullSample('neet/2024'), pullSample('neet/2024')]);
    assert.deepEqual(ends.flatMap(problemsOf), []);
    assert.deepEqual(await mirrorFiles(folder), below('neet/2024', first.files));
    proxy.setUpstream(smaller.url);
    await pullSample('neet/2024');
    assert.deepEqual(await mirrorFiles(folder), below('neet/2024', smaller.files));
  });

  it('removes the drafts of a killed process', async () => {
    await pullSample('neet/2024');
    // No process has this id: it is above the maximum of Linux.
    const draft = '.draft-99999999-6d7c1d6a-0f0e-4a53-9a0e-5f0a1c7a2b3c';
    await writeFile(join(folder, draft), 'half');
    await pullSample('neet/2024');
    assert.deepEqual(await mirrorFiles(folder), below('neet/2024', first.files));
  });
});

describe('A file that the service no longer has', () => {
  it('is removed from the mirror, with empty folders', async () => {
    await pullSample('neet');
    proxy.setUpstream(smaller.url);
    const { end } = await pullSample('neet/2024');
    const [before, after] = [first, smaller].map(({ files }) => below('neet/2024', files).size);
    assert.equal(end.kind === 'complete' && end.removed, Number(before) - Number(after));
    const others = below('neet/2026', first.files);
    const left = [...others, ...below('neet/2024', smaller.files)];
    assert.deepEqual(await mirrorFiles(folder), new Map(left.sort(([a], [b]) => (a < b ? -1 : 1))));
    assert.deepEqual(await readdir(join(folder, 'neet/2024')), ['2024-03-01-s1', 'index.json']);
  });

  it('stays if it is outside the scope of the pull', async () => {
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
      path.endsWith('/biology.json') ? { kind: 'respond', response: { status: 403 } } : undefined,
    );
    const { end } = await pullSample('neet/2024');
    assert.equal(end.kind, 'incomplete');
    const expected = below('neet/2024', first.files);
    expected.delete(`${shift}/biology.json`);
    assert.deepEqual(await mirrorFiles(folder), expected);
  });

  it('is removed without files that no pull wrote', async () => {
    await pullSample('neet/2024');
    const own = [
      'notes.txt',
      `neet/2024/2024-01-01-s1/notes.txt`,
      'neet/2024/2024-02-01-s1/physics.json',
    ];
    for (const path of own) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), 'mine');
    }
    proxy.setUpstream(smaller.url);
    await pullSample('neet/2024');
    const files = await mirrorFiles(folder);
    assert.deepEqual(
      own.map((path) => String(files.get(path))),
      ['mine', 'mine', 'mine'],
    );
    assert.equal(files.size, own.length + below('neet/2024', smaller.files).size);
  });

  it('is not removed because a manifest was tampered with', async () => {
    const outside = join(await temporaryFolder(), 'outside.json');
    await writeFile(outside, 'mine');
    await pullSample('neet/2024');
    const paths = [
      '../outside.json',
      'neet/2024/../../../outside.json',
      outside,
      'neet/2024/x',
      7,
      null,
    ];
    await writeFile(
      join(folder, manifest),
      paths.map((file) => `${JSON.stringify({ file })}\n`).join(''),
    );
    const { end } = await pullSample('neet/2024');
    assert.equal(end.kind === 'complete' && end.removed, 0);
    assert.ok(await stat(outside));
  });
});

describe('A folder with other files', () => {
  it('is left unchanged if a file of the mirror would replace one of them', async () => {
    await mkdir(join(folder, shift), { recursive: true });
    await writeFile(join(folder, shift, 'physics.json'), '{"mine":true}');
    const pulled = await pullSample('neet/2024');
    assert.match(
      problemsOf(pulled)[0] ?? '',
      /physics\.json already exists and was not written by a pull/,
    );
    assert.deepEqual([...(await filesBelow(folder)).keys()], [`${shift}/physics.json`]);
    assert.deepEqual(protectedRequests(), []);
  });
});

describe('A release published during a pull', () => {
  it('is what the mirror contains in the end, whenever it is published', async () => {
    const requests = below('neet/2024', first.files).size;
    for (let at = 1; at <= requests; at += 2) {
      folder = await temporaryFolder();
      proxy.setUpstream(first.url);
      let asked = 0;
      proxy.intercept((path) => {
        if (isProtected(path)) asked += 1;
        if (asked === at) proxy.setUpstream(at % 4 === 1 ? changed.url : smaller.url);
        return undefined;
      });
      const { end } = await pullSample('neet/2024');
      assert.equal(end.kind, 'complete', `switched at request ${at}`);
      const last = at % 4 === 1 ? changed : smaller;
      assert.deepEqual(
        await mirrorFiles(folder),
        below('neet/2024', last.files),
        `at request ${at}`,
      );
    }
  });

  it('is waited for, up to a limit, while metadata and papers belong to different releases', async () => {
    // Like a cache in front of the service with the metadata of the previous release.
    const stale = await metadataOf(first, 'neet/2024');
    proxy.setUpstream(changed.url);
    const headers = { 'content-type': 'application/json' };
    const response = { status: 200, headers, body: Buffer.from(stale) };
    proxy.intercept((path) => (path === '/neet/2024' ? { kind: 'respond', response } : undefined));
    const pulled = await pullSample('neet/2024');
    assert.deepEqual(problemsOf(pulled), [
      `${shift}: its papers do not match the checksum of the shift.`,
    ]);
    assert.equal(proxy.requests.filter(({ path }) => path === '/neet/2024').length, 8);
    proxy.intercept(() => undefined);
    assert.equal((await pullSample('neet/2024')).end.kind, 'complete');
  });
});

/** Pulls through the proxy, whose list of requests is cleared before. */
function pullSample(what: string): Promise<PullRun> {
  proxy.requests.length = 0;
  return pullHere(proxy.url, what, folder, { key });
}

async function metadataOf({ url }: ServedBank, path: string): Promise<string> {
  return (await fetch(`${url}/${path}`)).text();
}

function isProtected(path: string): boolean {
  return path.split('/').length > 3;
}

function protectedRequests() {
  return proxy.requests.filter(({ path }) => isProtected(path));
}

/** The paths of responses with a body, in order. */
function downloads(): readonly string[] {
  return protectedRequests()
    .filter(({ status }) => status === 200)
    .map(({ path }) => path.slice(1))
    .sort();
}
