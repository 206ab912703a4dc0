import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { main } from '../../build/cli.ts';
import { readBank } from '../../build/release/config.ts';
import { readCurrent } from '../../build/release/read.ts';
import type { Signer } from '../../build/release/signature.ts';
import { pointerText } from '../../build/store/pointer.ts';
import { temporaryFolder } from '../build/bank-folder.ts';
import {
  bodyPath,
  currentOf,
  filesBelow,
  makeSigningKey,
  publishTexts,
} from '../build/release-folder.ts';
import { type Outcome, runInProcess } from '../in-process.ts';
import { startS3 } from './s3-server.ts';

const s3 = await startS3();
after(() => s3.close());
let stores = 0;

/** The address of an empty store. */
function newStore(): string {
  stores += 1;
  return `${s3.bucket}/store-${stores}`;
}

function releases(
  dist: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = s3.env,
): Promise<Outcome> {
  return runInProcess(main, ['releases', ...args], { ...env, DIST_DIR: dist });
}

async function json(dist: string, ...args: string[]) {
  const { status, stdout, stderr } = await releases(dist, [...args, '--json']);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const unchangedTexts = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`text-${index}`, `${index}`]),
);
/** A response that all releases have. */
const unchanged = 'text-0';

/** A dist folder with a release, in which more can be published. */
async function makeReleases(signer?: Signer) {
  const dist = await temporaryFolder();
  const description = JSON.stringify({ info: { title: readBank().name } });
  const texts = { ...unchangedTexts, 'docs/openapi.json': description };
  const publish = (changing: string) => publishTexts(dist, { ...texts, changing }, signer);
  return { dist, first: await publish('First'), publish };
}

it('push and pull copy a release to another machine, then only what changed', async () => {
  const [{ dist, first, publish }, copy, store] = [
    await makeReleases(),
    await temporaryFolder(),
    newStore(),
  ];
  const all = await json(dist, 'push', store);
  assert.equal(all.release, first);
  assert.equal((await json(copy, 'pull', store)).name, first);
  assert.equal(await currentOf(copy), first);
  for (const folder of ['releases', 'objects'])
    assert.deepEqual(await filesBelow(join(copy, folder)), await filesBelow(join(dist, folder)));
  assert.deepEqual(
    await readFile(join(copy, 'changes.json')),
    await readFile(join(dist, 'changes.json')),
  );
  assert.deepEqual(await readdir(join(copy, 'releases')), [first]);
  assert.match((await releases(dist, ['push', store])).stdout, /is current in the store already/);
  assert.equal((await json(copy, 'pull', store)).files, 0);

  const second = await publish('Second');
  const pushed = await json(dist, 'push', store);
  const pulled = await json(copy, 'pull', store);
  assert.equal(pulled.name, second);
  assert.equal(pulled.files, pushed.files);
  assert.ok(pulled.files > 0 && pulled.files < all.files / 2, `${pulled.files} of ${all.files}`);
  await json(dist, 'rollback');
  await json(dist, 'push', store);
  await json(copy, 'pull', store);
  assert.equal(await currentOf(copy), first);
});

describe('push', () => {
  it('requires a release', async () => {
    const { status, stderr } = await releases(await temporaryFolder(), ['push', newStore()]);
    assert.equal(status, 1);
    assert.match(stderr, /current is missing\. Run npx pastpaper build first\.\n$/);
  });

  it('uploads no damaged file, and leaves the store as it was', async () => {
    const [{ dist }, copy, store] = [await makeReleases(), await temporaryFolder(), newStore()];
    await writeFile(await bodyPath(dist, unchanged), 'x');
    const { status, stderr } = await releases(dist, ['push', store]);
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^Release \w+ is damaged: objects\/\S+ does not match its checksum: .*\. Nothing was published\.\n$/,
    );
    assert.match((await releases(copy, ['pull', store])).stderr, /there is no release/);
  });

  it('fails if another push has changed the store meanwhile', async () => {
    const [{ dist }, store] = [await makeReleases(), await startS3()];
    const pushing = releases(dist, ['push', store.bucket], store.env);
    // The pointer was read, and found missing, before any file is written.
    while (!store.requests.some((request) => request.startsWith('PUT objects')))
      await new Promise(setImmediate);
    store.objects.set('current', Buffer.from('release\n{}\n'));
    const { status, stderr } = await pushing.finally(() => store.close());
    assert.equal(status, 1);
    // Progress may come before it.
    assert.match(
      stderr,
      /^s3:\/\/bucket: another push changed the current release meanwhile\. Run the command again\.\n$/m,
    );
  });

  it('names what is wrong with the address and the settings', async () => {
    const { dist } = await makeReleases();
    const cases: readonly [
      address: string,
      env: Readonly<Record<string, string>>,
      message: RegExp,
    ][] = [
      ['ftp://x/', s3.env, /^STORE must be s3:\/\/BUCKET\/PREFIX/],
      ['s3://user:word@x', s3.env, /^STORE must be s3:\/\/BUCKET\/PREFIX/],
      ['s3://bucket/a b', s3.env, /^STORE must be s3:\/\/BUCKET\/PREFIX/],
      ['s3://bucket', {}, /requires AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/],
      ['s3://bucket', { ...s3.env, AWS_ENDPOINT_URL_S3: 'x' }, /must be a URL such as/],
    ];
    for (const [address, env, message] of cases) {
      const { status, stderr } = await releases(dist, ['push', address], env);
      assert.equal(status, 2, address);
      assert.match(stderr, message);
    }
  });
});

/** A store with a release, and the folder that it was pushed from. */
async function pushOne(signer?: Signer, settings: Readonly<Record<string, string>> = {}) {
  const [{ dist, publish }, store] = [await makeReleases(signer), newStore()];
  const pushing = { ...s3.env, ...settings };
  const push = (more: Readonly<Record<string, string>> = {}, ...args: string[]) =>
    releases(dist, ['push', store, ...args], { ...pushing, ...more });
  const { status, stderr } = await push();
  assert.equal(status, 0, stderr);
  const prefix = store.slice(s3.bucket.length + 1);
  const pointerKey = `${prefix}/current`;
  const pointer = () => JSON.parse(s3.objects.get(pointerKey)?.toString().split('\n')[1] ?? '');
  const forge = (text: string) => void s3.objects.set(pointerKey, Buffer.from(text));
  return { dist, publish, store, prefix, push, pointer, forge };
}

describe('The pointer of a store', () => {
  it('is renewed by each push, with a sequence number that grows whatever the store says', async () => {
    const { prefix, push, pointer } = await pushOne();
    assert.equal(pointer().sequence, 1);
    assert.match(
      (await push()).stdout,
      /is current in the store already\. Its pointer was renewed\./,
    );
    const { publishedAt, ...rest } = pointer();
    assert.equal(rest.sequence, 2);
    s3.objects.delete(`${prefix}/current`);
    await push();
    assert.equal(pointer().sequence, 3);
  });

  it('is replaced with a warning if it cannot be used, and decides neither the time nor the number', async () => {
    const { push, pointer, forge } = await pushOne();
    const valid = pointer();
    const forged: readonly string[] = [
      '',
      `release\n${'['.repeat(2_000)}\n`,
      `release\n${JSON.stringify({ ...valid, sequence: -1 })}\n`,
      'x'.repeat(5_000),
    ];
    for (const [index, text] of forged.entries()) {
      forge(text);
      const { status, stderr } = await push();
      assert.equal(status, 0, stderr);
      assert.match(
        stderr,
        /^warning: s3:\S+: current is .*\. This push replaces it, with sequence number \d+\./m,
      );
      assert.equal(pointer().sequence, index + 2);
    }
    const last = JSON.stringify({ ...valid, publishedAt: '+275760-09-13T00:00:00.000Z' });
    forge(`release\n${last}\n`);
    assert.equal((await push()).status, 0);
    assert.match(pointer().publishedAt, /^20/);
  });

  it('counts only if it is signed with the key of the push', async () => {
    const [key, other] = [await makeSigningKey(), await makeSigningKey()];
    const { push, pointer, forge } = await pushOne(key.signer, { SIGNING_KEY: key.privateFile });
    const forged = { ...pointer(), sequence: 1_000 };
    forge(pointerText(forged, other.signer));
    const { stderr } = await push();
    assert.match(
      stderr,
      /^warning: \S+ current is not signed with this key\. This push replaces it/m,
    );
    assert.equal(pointer().sequence, 2);
  });
});

describe('A store', () => {
  it('that has lost, truncated or damaged objects is verified, and gets them again with --all', async () => {
    const { prefix, push, store } = await pushOne();
    const names = [...s3.objects.keys()].filter(
      (key) => /\/objects\/.{2}\/.{64}$/.test(key) && key.startsWith(prefix),
    );
    const [lost = '', truncated = '', damaged = ''] = names;
    const copies = new Map(s3.objects);
    s3.objects.delete(lost);
    s3.objects.set(truncated, Buffer.of());
    const found = await releases(await temporaryFolder(), ['verify', store]);
    assert.equal(found.status, 1);
    assert.match(
      found.stdout,
      /is damaged\. Run npx pastpaper releases push --all .*\n {2}objects\/\S+ (?:is missing|does not match)/,
    );
    await push({}, '--all');
    for (const name of [lost, truncated]) assert.deepEqual(s3.objects.get(name), copies.get(name));

    const other = Buffer.from(copies.get(damaged) ?? '');
    other[0] = (other[0] ?? 0) ^ 1;
    s3.objects.set(damaged, other);
    const { stdout } = await releases(await temporaryFolder(), ['verify', store, '--json']);
    assert.deepEqual(JSON.parse(stdout).damage, [
      `${damaged.slice(prefix.length + 1)} does not match its checksum: it is truncated or was changed`,
    ]);
    await push({}, '--all');
    assert.match(
      (await releases(await temporaryFolder(), ['verify', store])).stdout,
      /is undamaged: \d+ files, /,
    );
  });

  it('without conditional writes is used, with one warning', async () => {
    for (const conditions of ['not implemented', 'ignored'] as const) {
      s3.conditions = conditions;
      const { push, pointer } = await pushOne();
      const { status, stderr } = await push();
      s3.conditions = 'supported';
      assert.equal(status, 0, stderr);
      assert.equal(pointer().sequence, 2);
      const warnings = stderr.split('\n').filter((line) => line.startsWith('warning: '));
      assert.equal(warnings.length, conditions === 'ignored' ? 0 : 1);
      if (conditions === 'ignored') continue;
      assert.match(
        warnings[0] ?? '',
        /does not support conditional writes\. If two machines push at the same time/,
      );
    }
  });

  it('that rejects a request says why: the secret, the clock, or the session', async () => {
    const { push } = await pushOne();
    const { status, stderr } = await push({ AWS_SECRET_ACCESS_KEY: 'another' });
    assert.equal(status, 1);
    assert.match(
      stderr,
      /current failed with 403: the credentials are wrong, or lack permission for this\.\n$/,
    );
    assert.doesNotMatch(stderr, /another/);
    const expired = await push({ AWS_SESSION_TOKEN: 'of yesterday' });
    assert.match(expired.stderr, /current failed with 400: the session token has expired\.\n$/);
    s3.ahead = 20 * 60_000;
    const late = await push().finally(() => {
      s3.ahead = 0;
    });
    assert.match(late.stderr, /current failed with 403: the clock of this machine is wrong\.\n$/);
  });

  it('that fails once, or cuts a response in the middle, is asked again', async () => {
    const { store, push, pointer } = await pushOne();
    const seen = new Set<string>();
    s3.respond = (method, key, response, body) => {
      const request = `${method} ${key}`;
      if (seen.has(request)) return false;
      seen.add(request);
      // The pointer is written, but its writer does not get to know it.
      if (method === 'PUT' && key.endsWith('current')) {
        s3.objects.set(key, body);
        response.writeHead(200, { 'content-length': 10 });
        response.write('half', () => response.destroy());
      } else if (method === 'GET' && body.length > 0) {
        response.writeHead(200, { 'content-length': body.length });
        response.write(body.subarray(0, body.length / 2), () => response.destroy());
      } else response.writeHead(503).end();
      return true;
    };
    try {
      const { status, stderr } = await push({}, '--all');
      assert.equal(status, 0, stderr);
      assert.equal(pointer().sequence, 2);
      assert.equal((await releases(await temporaryFolder(), ['verify', store])).status, 0);
    } finally {
      s3.respond = () => false;
    }
  });
});

describe('A signed release', async () => {
  const [key, other] = [await makeSigningKey(), await makeSigningKey()];
  const { dist, first } = await makeReleases(key.signer);
  const store = newStore();
  const push = (SIGNING_KEY: string) => releases(dist, ['push', store], { ...s3.env, SIGNING_KEY });

  it('is pushed only with its key', async () => {
    assert.match(
      (await releases(dist, ['push', store])).stderr,
      /is signed\. Set SIGNING_KEY to the same key/,
    );
    assert.match((await push(other.privateFile)).stderr, /is not signed with SIGNING_KEY/);
    assert.equal((await push(key.privateFile)).status, 0);
  });

  it('is pulled with its signature, and only with its key', async () => {
    const copy = await temporaryFolder();
    const pull = (file: string) => releases(copy, ['pull', store, '--public-key', file]);
    const refused = await pull(other.publicFile);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /current is not signed with this key\.\n$/);
    assert.deepEqual(await readdir(copy), []);
    assert.equal((await pull(key.publicFile)).status, 0);
    const [one, two] = [dist, copy].map((folder) =>
      readFile(join(folder, 'releases', first, 'root.sig')),
    );
    assert.deepEqual(await one, await two);
  });
});

/** Every request but those that match fails. */
function failing(pattern: RegExp, after: number): typeof s3.respond {
  let left = after;
  return (method, name, response) => {
    if (!pattern.test(`${method} ${name}`)) return false;
    left -= 1;
    if (left >= 0) return false;
    response.writeHead(403).end();
    return true;
  };
}

it('A pull that was stopped is continued', async () => {
  const [{ store }, copy] = [await pushOne(), await temporaryFolder()];
  await publishTexts(copy, { other: 'Other' });
  const before = await filesBelow(join(copy, 'objects'));
  s3.respond = failing(/^GET .*objects/, 8);
  const stopped = await releases(copy, ['pull', store]).finally(() => (s3.respond = () => false));
  assert.equal(stopped.status, 1);
  const objects = await filesBelow(join(copy, 'objects'));
  const stored = [...objects.keys()].filter((name) => !before.has(name));
  assert.ok(stored.length > 0);
  s3.requests.length = 0;
  await json(copy, 'pull', store);
  for (const name of stored)
    assert.ok(!s3.requests.some((request) => request.endsWith(name)), name);
});

it('A plain body that is stored compressed by gzip is not transferred', async () => {
  const [dist, copy, store] = [await temporaryFolder(), await temporaryFolder(), newStore()];
  const long = 'long enough to be compressed '.repeat(50);
  await publishTexts(dist, { long });
  await json(dist, 'push', store);
  const { identity } = (await readCurrent(dist)).root.public['long'] ?? assert.fail();
  const names = [...s3.objects.keys()].filter((name) => name.endsWith(identity.sha256));
  assert.deepEqual(names, []);
  await json(copy, 'pull', store);
  assert.equal(await readFile(await bodyPath(copy, 'long'), 'utf8'), long);
});
