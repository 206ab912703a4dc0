/** `releases pull --watch`, of stores that are good and bad. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { main } from '../../build/cli.ts';
import { type Root, sealRoot } from '../../build/release/root.ts';
import { parsePublicKeys, type Signer, signedText } from '../../build/release/signature.ts';
import { followStore } from '../../build/store/follow.ts';
import { storeLocation } from '../../build/store/location.ts';
import { pointerText } from '../../build/store/pointer.ts';
import { packedKey } from '../../build/store/transfer.ts';
import { temporaryFolder } from '../build/bank-folder.ts';
import {
  bodyPath,
  currentOf,
  filesBelow,
  makeSigningKey,
  publishTexts,
} from '../build/release-folder.ts';
import { runInProcess } from '../in-process.ts';
import { type S3Server, startS3 } from './s3-server.ts';

const [key, otherKey] = [await makeSigningKey(), await makeSigningKey()];
const publicKeys = parsePublicKeys(await readFile(key.publicFile, 'utf8'));
const bank = 'Own Papers';

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

beforeEach(async () => {
  [store, dist] = [await startS3(), await temporaryFolder()];
});

afterEach(() => store.close());

function show(stage: { readonly objects: ReadonlyMap<string, Buffer> }): void {
  for (const [name, object] of stage.objects) store.objects.set(name, object);
}

/**
 * Follows the store, and does one step after each line that it prints; then it ends.
 *
 * @returns the lines: those of problems begin with `!`
 */
async function follow(
  steps: readonly (() => unknown)[],
  changes: Partial<Parameters<typeof followStore>[1]> = {},
): Promise<readonly string[]> {
  const lines: string[] = [];
  const end = new AbortController();
  const note = (line: string) => {
    lines.push(line);
    const step = steps[lines.length - 1];
    if (step) step();
    else end.abort();
  };
  await followStore(storeLocation(store.bucket, store.env), {
    ...{ distDir: dist, publicKeys, bank: undefined, maxAge: undefined, signal: end.signal },
    say: note,
    warn: (line) => note(`!${line}`),
    ...changes,
  });
  return lines;
}

/** Shows a root with a signed pointer to it. */
function showRoot(root: Root, signer: Signer = key.signer, pointer: object = {}): void {
  const text = Buffer.from(JSON.stringify(root));
  const object = { sha256: hash('sha256', text), size: text.length };
  store.objects.set(packedKey(object), brotliCompressSync(text));
  const signature = signedText(`root\n${object.sha256}\n`, signer);
  const valid = {
    ...{ release: root.id, ...object, signature },
    ...{ publishedAt: '2024-01-01', sequence: 9, ...pointer },
  };
  store.objects.set('current', Buffer.from(pointerText(valid, signer)));
}

/** The key of the root that the second pointer names. */
function secondRootKey(): string {
  const pointer = pushed.second.objects.get('current') ?? assert.fail();
  return packedKey(JSON.parse(pointer.toString().split('\n')[1] ?? ''));
}

function secondRoot(change: Readonly<Record<string, unknown>> = {}): Root {
  const compressed = pushed.second.objects.get(secondRootKey()) ?? assert.fail();
  const root: Root = JSON.parse(brotliDecompressSync(compressed).toString());
  const changing = root.public['changing'] ?? assert.fail();
  const { file = changing.file, ...ofObject } = change;
  const identity = { ...changing.identity, ...ofObject };
  const changed = { ...changing, file: String(file), identity };
  return sealRoot({ ...root, public: { ...root.public, changing: changed } });
}

const newObjects = () =>
  [...pushed.second.objects.keys()].filter(
    (name) => /^objects\/\w+\/\w+$/.test(name) && !pushed.first.objects.has(name),
  );

describe('A store that is followed', () => {
  it('fills an empty folder, and then transfers only what changed', async () => {
    show(pushed.first);
    const lines = await follow([
      () => {
        store.requests.length = 0;
        show(pushed.second);
      },
    ]);
    assert.match(lines[1] ?? '', /^Release \w+ is current: \d new files, \d+ bytes\.$/);
    assert.equal(await currentOf(dist), pushed.second.id);
    const requested = store.requests.filter((request) => /objects\/\w+\/\w+$/.test(request));
    assert.deepEqual(
      requested.sort(),
      newObjects()
        .map((name) => `GET ${name}`)
        .sort(),
    );
  });

  it('and is down is reported once, and followed again when it is back', async () => {
    show(pushed.first);
    let failed = 0;
    const lines = await follow([
      () => {
        store.respond = (_method, _name, response) => {
          failed += 1;
          response.writeHead(503).end();
          if (failed === 4) {
            store.respond = () => false;
            show(pushed.second);
          }
          return true;
        };
      },
      () => {},
      () => {},
    ]);
    assert.equal(lines.length, 4, lines.join('\n'));
    assert.match(lines[1] ?? '', /^!s3:\S+ cannot be used: .* failed with 503\.$/);
    assert.match(lines[2] ?? '', /^Release \w+ is current/);
    assert.match(lines[3] ?? '', /can be used again/);
    assert.equal(await currentOf(dist), pushed.second.id);
  });

  it('replaces damaged objects of its release at the first pull', async () => {
    show(pushed.first);
    await follow([]);
    const path = await bodyPath(dist, 'unchanged');
    await writeFile(path, 'Damaged!!');
    await follow([]);
    assert.equal(await readFile(path, 'utf8'), 'Unchanged');
  });

  it('leaves a release that is signed with either key while a key is replaced', async () => {
    const both = [...publicKeys, ...parsePublicKeys(await readFile(otherKey.publicFile, 'utf8'))];
    show(pushed.first);
    const second = () => {
      show(pushed.second);
      showRoot(secondRoot(), otherKey.signer);
    };
    await follow([second], { publicKeys: both });
    assert.equal(await currentOf(dist), pushed.second.id);
  });

  it('is no longer followed after a signal', async () => {
    show(pushed.first);
    const listening = process.listenerCount('SIGTERM');
    const { bucket, env } = store;
    const args = ['releases', 'pull', bucket, '--watch'];
    store.respond = (_method, name) => {
      if (name === 'current' && process.listenerCount('SIGTERM') > listening)
        process.emit('SIGTERM');
      return false;
    };
    const { status, stderr } = await runInProcess(main, args, { ...env, DIST_DIR: dist });
    assert.deepEqual([status, stderr], [0, '']);
  });
});

/** What a store can offer instead of the second release, and what is said then. */
const badStores: Readonly<Record<string, readonly [offer: () => void, message: RegExp]>> = {
  'lacks its objects': [
    () => {
      for (const name of newObjects()) store.objects.delete(name);
    },
    /objects\/\w\w\/\w+ is missing/,
  ],
  'has objects with other bytes': [
    () => {
      for (const name of newObjects())
        store.objects.set(name, Buffer.alloc(store.objects.get(name)?.length ?? 0));
    },
    /objects\/\S+ does not match its checksum/,
  ],
  'lacks its root': [() => store.objects.delete(secondRootKey()), /objects\/\S+\.br is missing/],
  'is gone with its pointer': [() => store.objects.delete('current'), /there is no release/],
  'is signed with another key': [
    () => showRoot(secondRoot(), otherKey.signer),
    /current is not signed with this key/,
  ],
  'has a root whose signature is of another one': [
    () => showRoot(secondRoot(), key.signer, { signature: signedText('root\n0\n', key.signer) }),
    /release \w+ is not signed with this key/,
  ],
  'is older than the one that was pulled': [
    () => showRoot(secondRoot(), key.signer, { sequence: 0, publishedAt: '2100-01-01' }),
    /with sequence number 0, before the last one that was pulled \(\S+, 1\)/,
  ],
  'belongs to another bank': [
    () => showRoot(secondRoot(), key.signer, { bank: 'Other Papers' }),
    /belongs to the bank "Other Papers", and this is the bank "Own Papers"/,
  ],
  'has a path out of its folder': [
    () => showRoot(secondRoot({ file: '../../escaped' })),
    /names a file that no release has: "\.\.\/\.\.\/escaped"/,
  ],
  'has a name that is no hash': [
    () => showRoot(secondRoot({ sha256: '../../current' })),
    /is no root of a release/,
  ],
};

describe('The last good release stays, and nothing partial is left, if the new one', () => {
  for (const [name, [offer, message]] of Object.entries(badStores)) {
    it(name, async () => {
      show(pushed.first);
      await follow([]);
      const before = await filesBelow(dist);
      show(pushed.second);
      // A pointer names the bank of the one who pushed.
      const options = name === 'belongs to another bank' ? { bank } : {};
      offer();
      const lines = await follow([], options);
      assert.match(lines.join('\n'), /^!s3:\S+ cannot be used: /);
      assert.match(lines.join('\n'), message);
      assert.equal(await currentOf(dist), pushed.first.id);
      assert.deepEqual([...(await filesBelow(dist))], [...before]);
    });
  }
});

it('A signed pointer that was replaced is refused when it is shown again', async () => {
  show(pushed.second);
  await follow([]);
  show(pushed.first);
  assert.match((await follow([])).join(), /with sequence number 1, before the last one/);
  assert.equal(await currentOf(dist), pushed.second.id);
});

it('A pointer that is not renewed in time is reported as stale with --max-age', async () => {
  show(pushed.first);
  showRoot(secondRoot(), key.signer, { publishedAt: '2020-01-01T00:00:00Z' });
  for (const [name, object] of pushed.second.objects)
    if (name.startsWith('objects/')) store.objects.set(name, object);
  const lines = await follow([() => {}], { maxAge: 3_600_000 });
  assert.match(lines[1] ?? '', /^!.*the release was last pushed at 2020-01-01T00:00:00Z, which is/);
});
