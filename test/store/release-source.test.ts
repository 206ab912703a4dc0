/** A gateway's release source, good and bad. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { main } from '../../build/cli.ts';
import { defaultBank } from '../../build/release/config.ts';
import { type Manifest, sealManifest } from '../../build/release/manifest.ts';
import { type Signer, signedText } from '../../build/release/signature.ts';
import { storeLocation } from '../../build/store/location.ts';
import { manifestKey, pointerText, signatureKey } from '../../build/store/pointer.ts';
import { readConfig } from '../../gateway/config.ts';
import { openCurrentRelease } from '../../gateway/release/current-release.ts';
import { openReleaseSource, type ReleaseSource } from '../../gateway/release/release-source.ts';
import { temporaryFolder } from '../build/bank-folder.ts';
import { currentOf, filesBelow, makeSigningKey, publishTexts } from '../build/release-folder.ts';
import { runInProcess } from '../in-process.ts';
import { type S3Server, startS3 } from './s3-server.ts';

const [key, otherKey] = [await makeSigningKey(), await makeSigningKey()];
const publicKey = await readFile(key.publicFile, 'utf8');
const otherPublicKey = await readFile(otherKey.publicFile, 'utf8');

/** Milliseconds within which the pointer must be renewed. */
const maxAge = 3_600_000;

/** Two signed releases: the objects of a store that each was pushed to, in order. */
const pushed = await pushTwo();

async function pushTwo() {
  const [dist, store] = [await temporaryFolder(), await startS3()];
  const stages = [];
  for (const changing of ['First', 'Second']) {
    const id = await publishTexts(dist, { unchanged: 'Unchanged', changing }, key.signer);
    const env = { ...store.env, DIST_DIR: dist, SIGNING_KEY: key.privateFile };
    const { status, stderr } = await runInProcess(main, ['releases', 'push', store.bucket], env);
    assert.equal(status, 0, stderr);
    stages.push({ id, objects: new Map(store.objects) });
  }
  await store.close();
  const [first, second] = stages;
  assert.ok(first && second);
  return { first, second };
}

let store: S3Server;
let dist: string;
let source: ReleaseSource;
let logged: string[];

/** Opens the store as the source of a gateway's releases. */
function openSource(changes: object = {}): Promise<ReleaseSource> {
  const location = storeLocation(store.url, {}, Error);
  const config = { location, publicKey, bank: undefined, maxAge, ...changes };
  return openReleaseSource(config, dist, (message) => void logged.push(message), undefined);
}

beforeEach(async () => {
  [store, dist, logged] = [await startS3(), await temporaryFolder(), []];
  source = await openSource();
});

afterEach(async () => {
  await source.close();
  await store.close();
});

function show(stage: { readonly objects: ReadonlyMap<string, Buffer> }): void {
  for (const [name, object] of stage.objects) store.objects.set(name, object);
}

/** Shows the first release, pulls it, and shows the second one. */
async function offerSecond(): Promise<void> {
  show(pushed.first);
  await source.pullFirst();
  show(pushed.second);
  logged.length = 0;
}

/** The objects of the second release that the first one lacks, of these folders. */
function newObjects(folder: string): string[] {
  const names = [...pushed.second.objects.keys()].filter((name) => !pushed.first.objects.has(name));
  return names.filter((name) => name.startsWith(folder));
}

/** Shows a manifest, with a signed pointer to it. */
function showManifest(
  manifest: Manifest,
  signer: Signer = key.signer,
  sequence = 9,
  publishedAt = '2024-01-01',
) {
  const text = Buffer.from(JSON.stringify(manifest));
  const [compressed, sha256] = [
    brotliCompressSync(text),
    createHash('sha256').update(text).digest('hex'),
  ];
  store.objects.set(manifestKey(manifest.id), compressed);
  const statement = `manifest\n${sha256}\n`;
  store.objects.set(
    signatureKey(manifest.id),
    Buffer.from(`${statement}${signer.sign(statement)}\n`),
  );
  const sizes = { size: text.length, compressedSize: compressed.length };
  const pointer = { release: manifest.id, sha256, ...sizes, publishedAt, sequence };
  store.objects.set('current', Buffer.from(pointerText(pointer, signer)));
}

function secondManifest(): Manifest {
  const compressed = pushed.second.objects.get(manifestKey(pushed.second.id)) ?? assert.fail();
  return JSON.parse(brotliDecompressSync(compressed).toString());
}

/** The second manifest with another path, size or hash of its first public response. */
function withVariant(change: Readonly<Record<string, unknown>>): Manifest {
  const manifest = secondManifest();
  const [path = '', resource] = Object.entries(manifest.public)[0] ?? [];
  assert.ok(resource);
  const changed = { ...resource, identity: { ...resource.identity, ...change } };
  return sealManifest({ ...manifest, public: { ...manifest.public, [path]: changed } });
}

/** Sends half of the objects whose name matches. */
function truncating(pattern: RegExp): S3Server['respond'] {
  return (_method: string, name: string, response: ServerResponse, body: Buffer) => {
    if (!pattern.test(name)) return false;
    response.writeHead(200, { 'content-length': body.length });
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
    return true;
  };
}

describe('A release source', () => {
  it('fills an empty folder, and then transfers only what changed', async () => {
    show(pushed.first);
    await source.pullFirst();
    assert.equal(await currentOf(dist), pushed.first.id);
    show(pushed.second);
    store.requests.length = 0;
    assert.equal(await source.check(), undefined);
    assert.equal(await currentOf(dist), pushed.second.id);
    assert.deepEqual(
      store.requests.filter((request) => request.includes('files/')).sort(),
      newObjects('files/')
        .map((name) => `GET ${name}`)
        .sort(),
    );
  });

  it('sends one small request while nothing changes', async () => {
    show(pushed.first);
    await source.pullFirst();
    store.requests.length = 0;
    store.bytes = 0;
    await source.check();
    assert.deepEqual([store.requests, store.bytes], [['GET current'], 0]);
  });

  it('leaves a local rollback until the next push', async () => {
    await offerSecond();
    await source.check();
    await runInProcess(main, ['releases', 'rollback'], { DIST_DIR: dist });
    const restarted = await openSource();
    await restarted.check();
    await restarted.close();
    assert.equal(await currentOf(dist), pushed.first.id);
  });

  it('that is down is reported once, and used again when it is back', async () => {
    await offerSecond();
    store.respond = (_method, _name, response) => {
      response.writeHead(503).end();
      return true;
    };
    for (let time = 0; time < 3; time += 1) await source.check();
    assert.deepEqual(
      [source.isUp, source.failures, await currentOf(dist)],
      [false, 3, pushed.first.id],
    );
    store.respond = () => false;
    await source.check();
    assert.deepEqual([source.isUp, await currentOf(dist)], [true, pushed.second.id]);
    assert.equal(logged.length, 3, logged.join('\n'));
    assert.match(logged[0] ?? '', /cannot be used: the request for current failed with 503\.$/);
    assert.match(logged[1] ?? '', /can be read again/);
    assert.match(logged[2] ?? '', /^Fetched release/);
  });
});

/** What a store can offer instead of the second release, and what the log then says. */
const badStores: Readonly<Record<string, readonly [offer: () => void, message: RegExp]>> = {
  'lacks its files': [
    () => {
      for (const name of newObjects('files/')) store.objects.delete(name);
    },
    /files\/\w\w\/\w+ is missing/,
  ],
  'lacks its manifest': [
    () => store.objects.delete(manifestKey(pushed.second.id)),
    /manifests\/\w+\.json\.br is missing/,
  ],
  'is gone with its pointer': [
    () => store.objects.delete('current'),
    /there is no release\. Run npx pastpaper releases push/,
  ],
  'lacks its signature': [
    () => store.objects.delete(signatureKey(pushed.second.id)),
    /manifests\/\w+\.sig is missing/,
  ],
  'is truncated in transfer': [
    () => (store.respond = truncating(/^files/)),
    /could not be transferred/,
  ],
  'has a manifest that is truncated': [
    () => store.objects.set(manifestKey(pushed.second.id), Buffer.alloc(100)),
    /json\.br does not match its checksum/,
  ],
  'has files with other bytes': [
    () => {
      for (const name of newObjects('files/'))
        store.objects.set(name, Buffer.alloc(store.objects.get(name)?.length ?? 0));
    },
    /files\/\S+ does not match its checksum/,
  ],
  'has files that are larger than the manifest says': [
    () => {
      for (const name of newObjects('files/'))
        store.objects.set(
          name,
          Buffer.concat([store.objects.get(name) ?? Buffer.of(), Buffer.of(32)]),
        );
    },
    /files\/\S+ is larger than \d+ bytes/,
  ],
  'is signed with another key': [
    () => showManifest(secondManifest(), otherKey.signer),
    /current is not signed with this key/,
  ],
  'has a pointer without a signature': [
    () => {
      const lines = store.objects.get('current')?.toString().split('\n').slice(0, 2) ?? [];
      store.objects.set('current', Buffer.from(`${lines.join('\n')}\n`));
    },
    /current is not signed with this key/,
  ],
  'has a manifest whose signature is of another one': [
    () =>
      store.objects.set(
        signatureKey(pushed.second.id),
        store.objects.get(signatureKey(pushed.first.id)) ?? Buffer.of(),
      ),
    /release \w+ is not signed with this key/,
  ],
  'is older than the one that was pulled': [
    () => showManifest(secondManifest(), key.signer, 0, '2100-01-01'),
    /release \w+ was pushed at 2100-01-01 with sequence number 0, before the last one that was pulled \(\S+, 1\)/,
  ],
  'has a path out of its folder': [
    () => showManifest(withVariant({ file: 'public/../../../escaped' })),
    /names a file that no release has: "public\/\.\.\/\.\.\/\.\.\/escaped"/,
  ],
  'has an absolute path': [
    () => showManifest(withVariant({ file: '/tmp/escaped' })),
    /no release has/,
  ],
  'has a path to its own manifest': [
    () => showManifest(withVariant({ file: 'manifest.json' })),
    /no release has/,
  ],
  'has a name that is no hash': [
    () => showManifest(withVariant({ sha256: '../../current' })),
    /names a file that no release has/,
  ],
  'is larger than the disk': [
    () => showManifest(withVariant({ size: 2 ** 52, sha256: 'f'.repeat(64) })),
    /needs \d+ MiB of disk space, and \d+ MiB are free/,
  ],
};

describe('The last good release stays, nothing partial is left, and the log has one line if the new one', () => {
  for (const [name, [offer, message]] of Object.entries(badStores)) {
    it(name, async () => {
      await offerSecond();
      offer();
      const before = await filesBelow(dist);
      assert.match((await source.check()) ?? '', message);
      await source.check();
      assert.equal(await currentOf(dist), pushed.first.id);
      assert.deepEqual([...(await filesBelow(dist))], [...before]);
      assert.deepEqual(await readdir(join(dist, 'releases')), [pushed.first.id]);
      assert.equal(logged.length, 1, logged.join('\n'));
      assert.match(logged[0] ?? '', /^The release source http:\S+ cannot be used: /);
    });
  }
});

it('Whatever bytes an unsigned store has as manifest or pointer, the current release is served and nothing ends', async () => {
  const open = await openSource({ publicKey: undefined, maxAge: undefined });
  show(pushed.first);
  await open.pullFirst();
  const releases = await openCurrentRelease(dist, (message) => void logged.push(message));
  show(pushed.second);
  const manifest: Record<string, unknown> = { ...secondManifest() };
  const paths = pathsIn(manifest);
  const hostile = fc.oneof(
    fc.constantFrom<unknown>(null, [], {}, '', 'a\r\nb: c', '../../x', -1, 1e300, true, [['x']], {
      identity: null,
    }),
    fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text)),
  );
  const forged = fc
    .tuple(fc.constantFrom(...paths), fc.constantFrom('set', 'add __proto__', 'remove'), hostile)
    .map(([path, change, value]) => changedAt(manifest, path, change, value));
  const text = fc.oneof(
    forged.map((parts) => Buffer.from(JSON.stringify(sealAnything(parts)))),
    hostile.map((value) => Buffer.from(JSON.stringify(value))),
    fc.constantFrom('id', 'encoder', 'public'),
    fc.uint8Array({ minLength: 1, maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
  );
  const pointer = fc.oneof(
    fc.constant(undefined),
    fc.tuple(fc.constantFrom(...pointerFields), hostile),
  );
  let sequence = 10;
  await fc.assert(
    fc.asyncProperty(text, pointer, async (some, change) => {
      const manifestText = typeof some === 'string' ? deeplyNested(some) : some;
      sequence += 1;
      const compressed = brotliCompressSync(manifestText);
      const id = parsed(manifestText)?.id;
      const release = typeof id === 'string' ? id : pushed.second.id;
      store.objects.set(manifestKey(release), compressed);
      const sha256 = createHash('sha256').update(manifestText).digest('hex');
      const sizes = { size: manifestText.length, compressedSize: compressed.length };
      const valid = { release, sha256, ...sizes, publishedAt: '2024-01-01', sequence };
      const shown = change ? { ...valid, [change[0]]: change[1] } : valid;
      store.objects.set('current', Buffer.from(`release\n${JSON.stringify(shown)}\n`));
      const before = releases.current;
      const problem = await open.check();
      await releases.refresh();
      assert.ok(
        problem === undefined || (releases.current === before && open.failures > 0),
        problem,
      );
      releases.current.find({ kind: 'page', path: 'robots.txt' });
    }),
    { numRuns: Number(process.env['RUNS'] ?? 150) },
  );
  await open.close();
  await releases.close();
});

const pointerFields = ['release', 'sha256', 'size', 'compressedSize', 'publishedAt', 'sequence'];

/** The text of a manifest one part of which is nested too deeply for a recursive function. */
function deeplyNested(part: string): Buffer {
  const text = JSON.stringify(sealManifest({ ...secondManifest(), [part]: 'DEEP' }));
  return Buffer.from(text.replace('"DEEP"', `${'['.repeat(100_000)}${']'.repeat(100_000)}`));
}

function parsed(text: Buffer): { readonly id?: unknown } | null | undefined {
  try {
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}

/** Some paths of every kind in a JSON value. */
function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null || path.length > 4) return [path];
  return [
    path,
    ...Object.entries(value)
      .slice(0, 6)
      .flatMap(([name, member]) => pathsIn(member, [...path, name])),
  ];
}

function changedAt(
  value: unknown,
  [first, ...rest]: readonly string[],
  change: string,
  by: unknown,
): unknown {
  if (first === undefined)
    return change === 'add __proto__'
      ? Object.assign(JSON.parse('{"__proto__":{"a":1}}'), value)
      : by;
  const members = Object.entries(value ?? {});
  const changed = members.flatMap(([name, member]) => {
    if (name !== first) return [[name, member]];
    return change === 'remove' && rest.length === 0
      ? []
      : [[name, changedAt(member, rest, change, by)]];
  });
  return Object.fromEntries(changed);
}

/** Gives a manifest that may be of any type the id of its parts, if there can be one. */
function sealAnything(value: unknown): unknown {
  try {
    return sealManifest(value as Manifest);
  } catch {
    return value;
  }
}

it('A pointer file of another store does not count as older', async () => {
  await offerSecond();
  const pulled = JSON.parse(await readFile(join(dist, 'pulled.json'), 'utf8'));
  const other = { ...pulled, store: 's3://other', sequence: 100 };
  await writeFile(join(dist, 'pulled.json'), JSON.stringify(other));
  await source.check();
  assert.equal(await currentOf(dist), pushed.second.id);
});

it('A restarted gateway still rejects an older pointer that is signed', async () => {
  await offerSecond();
  await source.check();
  show(pushed.first);
  const restarted = await openSource();
  assert.match(
    (await restarted.check()) ?? '',
    /with sequence number 1, before the last one that was pulled/,
  );
  await restarted.close();
  assert.equal(await currentOf(dist), pushed.second.id);
});

it('Pointers of earlier versions have no sequence number, and follow each other by time', async () => {
  const text = (publishedAt: string) => {
    const { pointer } = JSON.parse(
      `{"pointer":${pushed.first.objects.get('current')?.toString().split('\n')[1]}}`,
    );
    const { sequence: _, ...earlier } = pointer;
    return signedText(`release\n${JSON.stringify({ ...earlier, publishedAt })}\n`, key.signer);
  };
  show(pushed.first);
  store.objects.set('current', Buffer.from(text('2024-01-02')));
  await source.pullFirst();
  store.objects.set('current', Buffer.from(text('2024-01-01')));
  assert.match(
    (await source.check()) ?? '',
    /was pushed at 2024-01-01 with sequence number 0, before/,
  );
  show(pushed.second);
  assert.equal(await source.check(), undefined);
});

it('A pointer that is not renewed in time is stale, also after a restart and without the store', async (test) => {
  test.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  show(pushed.first);
  await source.pullFirst();
  assert.equal(source.isStale, false);
  test.mock.timers.tick(2 * maxAge);
  await source.check();
  assert.equal(source.isStale, true);
  const restarted = await openSource();
  assert.equal(restarted.isStale, true);
  await restarted.close();
  show(pushed.second);
  showManifest(secondManifest(), key.signer, 9, new Date().toISOString());
  assert.equal(await source.check(), undefined);
  assert.equal(source.isStale, false);
});

it('While a key is replaced, releases that are signed with either key are accepted', async () => {
  const both = await openSource({ publicKey: `${publicKey}${otherPublicKey}` });
  show(pushed.first);
  assert.equal(await both.check(), undefined);
  show(pushed.second);
  showManifest(secondManifest(), otherKey.signer);
  assert.equal(await both.check(), undefined);
  await both.close();
  assert.equal(await currentOf(dist), pushed.second.id);
});

it('A release of another bank is rejected although the same key signed it', async () => {
  const bank = { ...defaultBank, name: 'Own Papers' };
  const env = { RELEASE_SOURCE: store.url, RELEASE_PUBLIC_KEY: 'key.pem' };
  const { releaseSource } = readConfig(env, () => publicKey, bank);
  const follower = await openSource(releaseSource);
  const pushAs = async (title: string) => {
    const folder = await temporaryFolder();
    const texts = { 'docs/openapi.json': JSON.stringify({ info: { title } }) };
    const id = await publishTexts(folder, texts, key.signer);
    const settings = { ...store.env, DIST_DIR: folder, SIGNING_KEY: key.privateFile };
    await runInProcess(main, ['releases', 'push', store.bucket], settings);
    return id;
  };
  await pushAs('Other Papers');
  assert.match(
    (await follower.check()) ?? '',
    /belongs to the bank "Other Papers", and this is the bank "Own Papers"\. If the bank was renamed/,
  );
  assert.deepEqual(await readdir(dist), []);
  const own = await pushAs(bank.name);
  assert.equal(await follower.check(), undefined);
  await follower.close();
  assert.equal(await currentOf(dist), own);
});

it('A new pointer is tried although the last one is rejected', async () => {
  await offerSecond();
  showManifest(withVariant({ file: '/tmp/escaped' }));
  await source.check();
  assert.equal(source.isRejecting, true);
  showManifest(secondManifest());
  await source.check();
  assert.deepEqual([source.isRejecting, await currentOf(dist)], [false, pushed.second.id]);
});
