import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, realpath, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { request } from 'undici';
import { objectPath } from '../../../build/release/objects.ts';
import { readCurrent } from '../../../build/release/read.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { waitUntil } from '../../wait-until.ts';
import { openFiles } from '../open-files.ts';
import { type RunningGateway, runGateway } from '../running-gateway.ts';
import { switchTo, writeRelease } from './write-release.ts';

/** Too large for the buffers of sockets. */
const largeSize = 6_000_000;
const shift = '2024-05-05-s1';
const aliases = { neet: { '2024': { [shift]: shift, s1: shift } } };

/** Publishes a release whose files contain its name. */
async function publishNamed(dist: string, name: string): Promise<void> {
  const paper = Buffer.from(JSON.stringify({ name, text: 'as long as it is '.repeat(50) }));
  const closed = (file: string, mediaType: string, identity: Buffer, gzip?: Buffer) => ({
    ...{ access: 'protected' as const, path: `neet/2024/${shift}/${file}`, mediaType, identity },
    ...(gzip && { gzip }),
  });
  const responses = [
    closed('physics.json', 'application/json', paper, gzipSync(paper)),
    closed('diagrams/one.png', 'image/png', Buffer.alloc(largeSize, `one of ${name} `)),
    closed('diagrams/two.png', 'image/png', Buffer.alloc(largeSize, `two of ${name} `)),
    closed('diagrams/small.png', 'image/png', Buffer.from(`small of ${name}`)),
  ];
  await writeRelease(dist, name, responses, aliases);
  await switchTo(dist, name);
}

interface Reader {
  readonly gateway: RunningGateway;
  readonly dist: string;
  readonly key: string;
}

/** Starts a gateway with such a release. */
async function startLarge(): Promise<Reader> {
  const dist = await temporaryFolder();
  await publishNamed(dist, 'first');
  const gateway = await runGateway({ DIST_DIR: dist });
  after(() => gateway.close());
  return { gateway, dist, key: (await gateway.createKey('reader')).key };
}

const sample = await runGateway();
after(() => sample.close());
const { key } = await sample.createKey('reader');

async function get(path: string, more: Readonly<Record<string, string>> = {}, from = sample) {
  const headers = { authorization: `Bearer ${key}`, ...more };
  const response = await request(from.baseUrl + path, { headers });
  const bytes = Buffer.from(await response.body.arrayBuffer());
  return { status: response.statusCode, headers: response.headers, bytes };
}

/** Sends a request for a pack whose response is read by the caller. */
function ask({ gateway, key }: Reader, path: string): Socket {
  const { hostname, port } = new URL(gateway.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const lines = ['Host: localhost', 'Connection: close', `Authorization: Bearer ${key}`];
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}

/** The status and the body of a response that was read from a socket. */
function parse(bytes: Buffer): { readonly head: string; readonly body: Buffer } {
  const end = bytes.indexOf('\r\n\r\n');
  return { head: bytes.subarray(0, end).toString(), body: bytes.subarray(end + 4) };
}

/** How many objects of a dist folder this process has open. */
function openObjects(dist: string): number {
  return openFiles().filter((file) => file.startsWith(join(dist, 'objects'))).length;
}

/** Changes a byte of the plain form of a file. @returns how to restore it */
async function damage({ dist }: Reader, file: string): Promise<() => Promise<void>> {
  const release = await readCurrent(dist);
  const index = await release.readYear(release.root.years['neet']?.['2024'] ?? assert.fail());
  const stored = index.shifts[shift]?.[file] ?? assert.fail();
  const path = join(dist, objectPath((stored.gzip ?? stored.identity).sha256));
  const bytes = await readFile(path);
  const changed = Buffer.from(bytes);
  const middle = bytes.length >> 1;
  changed[middle] = (changed[middle] ?? 0) ^ 1;
  await writeFile(path, changed);
  return () => writeFile(path, bytes);
}

describe('A pack', () => {
  for (const [path, shifts] of [
    ['/neet/2024/s1.zip', /^neet\/2024\/(2024-01-01-s1\/|index\.json$)/],
    ['/neet/2024/all.zip', /^neet\/2024\//],
  ] as const)
    it(`has every file of ${path}, equal to its endpoint, and the list of shifts`, async () => {
      const { bytes } = await get(path);
      const entries = Object.entries(unzipSync(bytes));
      for (const [name, content] of entries) {
        assert.match(name, shifts);
        const endpoint = name.replace(/\/index\.json$/, '');
        const served = await get(`/${endpoint}`, { 'accept-encoding': 'identity' });
        assert.deepEqual(Buffer.from(content), served.bytes, name);
      }
      const release = await readCurrent(sample.config.distDir);
      const index = await release.readYear(release.root.years['neet']?.['2024'] ?? assert.fail());
      const expected = Object.entries(index.shifts)
        .flatMap(([name, files]) => Object.keys(files).map((file) => `neet/2024/${name}/${file}`))
        .filter((name) => shifts.test(name));
      assert.deepEqual(
        entries.map(([name]) => name).sort(),
        ['neet/2024/index.json', ...expected].sort(),
      );
    });

  const unzip = spawnSync('unzip', ['-v']).status === 0;
  it('passes unzip -t', { skip: !unzip && 'there is no unzip' }, async () => {
    const file = join(await temporaryFolder(), 'all.zip');
    await writeFile(file, (await get('/neet/2024/all.zip')).bytes);
    const { status, stdout } = spawnSync('unzip', ['-t', file], { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });

  it('has its length, a strong ETag and a media type, and 304 for a client that has it', async () => {
    const { status, headers, bytes } = await get('/neet/2024/s1.zip');
    assert.deepEqual([status, headers['content-type']], [200, 'application/zip']);
    assert.equal(headers['content-length'], String(bytes.length));
    assert.equal(headers['content-encoding'], undefined);
    assert.match(String(headers['etag']), /^"[^"]+"$/);
    const again = await get('/neet/2024/s1.zip', { 'if-none-match': String(headers['etag']) });
    assert.deepEqual([again.status, again.bytes.length], [304, 0]);
  });

  it('is the same bytes wherever the release is', async () => {
    const dist = await temporaryFolder();
    await cp(sample.config.distDir, dist, { recursive: true, verbatimSymlinks: true });
    const copy = await runGateway({ DIST_DIR: dist });
    const own = { authorization: `Bearer ${(await copy.createKey('reader')).key}` };
    const [one, other] = [
      await get('/neet/2024/all.zip'),
      await get('/neet/2024/all.zip', own, copy),
    ];
    assert.ok(one.bytes.equals(other.bytes));
    await copy.close();
  });

  it('is one request of the plan', async () => {
    const { key } = await sample.createKey('free', { plan: 'free' });
    const own = { authorization: `Bearer ${key}` };
    const remaining = async () => {
      const { headers } = await get('/neet/2024/s1.zip', own);
      return Number(/"quota";r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
    };
    const before = await remaining();
    assert.equal(await remaining(), before - 1);
    assert.equal((await get('/neet/2024/s1.zip', own)).status, 429);
  });
});

describe('A large pack', () => {
  it('leaves no file open if its client is gone, at once or in the middle', async () => {
    const reader = await startLarge();
    const dist = await realpath(reader.dist);
    const sockets = Array.from({ length: 6 }, () => ask(reader, '/neet/2024/s1.zip'));
    const begin = async (socket: Socket, index: number) => {
      await once(socket, index % 2 === 0 ? 'connect' : 'data');
      if (index % 2 === 0) socket.destroy();
      else socket.pause();
    };
    await Promise.all(sockets.map(begin));
    assert.ok(openObjects(dist) > 0);
    for (const socket of sockets) socket.destroy();
    await waitUntil(() => openObjects(dist) === 0);
    assert.deepEqual(reader.gateway.logged.join(''), '');
  });

  it('comes from one release, also if another one is published meanwhile', async () => {
    const reader = await startLarge();
    const socket = ask(reader, '/neet/2024/s1.zip');
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    await publishNamed(reader.dist, 'second');
    await reader.gateway.gateway.releases.refresh();
    const { body } = parse(Buffer.concat([first, await buffer(socket)]));
    const entries = Object.values(unzipSync(body));
    assert.equal(entries.length, 5);
    for (const content of entries) assert.doesNotMatch(Buffer.from(content).toString(), /second/);
    const next = parse(await buffer(ask(reader, '/neet/2024/s1.zip')));
    const texts = Object.values(unzipSync(next.body)).map((content) => `${Buffer.from(content)}`);
    assert.equal(texts.filter((text) => text.includes('second')).length, 4);
  });

  it('is 500 if its beginning is damaged, and cut short if a later entry is', async () => {
    const reader = await startLarge();
    for (const [file, isSent] of [
      ['physics.json', false],
      ['diagrams/one.png', true],
      ['diagrams/small.png', true],
    ] as const) {
      const { damaged } = reader.gateway.gateway.bodies;
      const restore = await damage(reader, file);
      const { head, body } = parse(await buffer(ask(reader, '/neet/2024/s1.zip')));
      assert.match(head, isSent ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 500 /);
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
      assert.equal(body.length < length, isSent, file);
      if (isSent) assert.throws(() => unzipSync(body), file);
      assert.equal(reader.gateway.gateway.bodies.damaged, damaged + 1);
      assert.match(reader.gateway.logged.at(-1) ?? '', /does not match its checksum/);
      await restore();
    }
    const { head } = parse(await buffer(ask(reader, '/neet/2024/s1.zip')));
    assert.match(head, /^HTTP\/1\.1 200 /);
  });
});
