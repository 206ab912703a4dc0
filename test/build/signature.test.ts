import assert from 'node:assert/strict';
import { createHash, verify } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { readCurrent } from '../../build/release/read.ts';
import { rootFile, sealRoot } from '../../build/release/root.ts';
import { type BankFolder, makeBank, paperPath, temporaryFolder } from './bank-folder.ts';
import { assertNoStackTrace, runCommand } from './command.ts';
import {
  filesBelow,
  makeSigningKey,
  publishedFolder,
  resourcesOf,
  responsesOf,
  richFiles,
} from './release-folder.ts';

const [key, otherKey] = [await makeSigningKey(), await makeSigningKey()];
const bank = await makeBank(richFiles);

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

/** Checks a signed text without the code under test. Returns its lines, without the signature. */
function linesOf(signed: string): readonly string[] {
  const lines = signed.split('\n');
  assert.equal(lines.pop(), '');
  const signature = Buffer.from(lines.pop() ?? '', 'base64');
  const text = lines.map((line) => `${line}\n`).join('');
  assert.ok(verify(null, Buffer.from(text), key.publicKey, signature));
  return lines;
}

describe('A signed release', async () => {
  const dist = await temporaryFolder();
  const folder = await publishedFolder(bank.dir, dist, key.signer);
  const files = await filesBelow(folder);
  const text = (file: string) => String(files.get(file) ?? assert.fail(file));

  it('has a signature of the root', () => {
    assert.deepEqual(linesOf(text('root.sig')), ['root', sha256(text(rootFile))]);
  });

  it('publishes the signed checksum of every response, and the public key', async () => {
    const responses = [...(await resourcesOf(dist))].filter(
      ([path]) => path !== 'docs/checksums.txt' && path !== 'docs/signing-key.pem',
    );
    const hashes = new Set(responses.map(([, { identity }]) => identity.sha256));
    assert.ok(hashes.has(sha256((await responsesOf(dist)).get(paperPath) ?? '')));
    assert.deepEqual(linesOf(text('public/docs/checksums.txt')), [
      'responses',
      ...[...hashes].sort(),
    ]);
    assert.equal(text('public/docs/signing-key.pem'), await readFile(key.publicFile, 'utf8'));
    assert.match(text('public/docs/guides/copy/index.html'), /--public-key signing-key\.pem/);
  });
});

describe('npm run build', () => {
  it('signs unchanged content when SIGNING_KEY is set or changed, and restores a missing signature', async () => {
    const settings = {
      CONTENT_DIR: bank.dir,
      DIST_DIR: await temporaryFolder(),
      DATA_DIR: await temporaryFolder(),
    };
    const build = async (SIGNING_KEY?: string) => {
      const { status, stderr } = await runCommand(['build'], {
        ...settings,
        ...(SIGNING_KEY && { SIGNING_KEY }),
      });
      assert.equal(status, 0, stderr);
    };
    const signature = join(settings.DIST_DIR, 'current/root.sig');
    await build();
    await assert.rejects(stat(signature));
    await build(key.privateFile);
    const signed = await readFile(signature, 'utf8');
    await build(otherKey.privateFile);
    assert.notEqual(await readFile(signature, 'utf8'), signed);
    await build(key.privateFile);
    assert.equal(await readFile(signature, 'utf8'), signed);
    await rm(signature);
    await build(key.privateFile);
    assert.equal(await readFile(signature, 'utf8'), signed);
    await build();
    await assert.rejects(stat(signature));
  });

  it('rejects a key file that has no Ed25519 private key, and says how to make one', async () => {
    for (const [file, reason] of [
      ['/none/key.pem', 'cannot be read (ENOENT)'],
      [key.publicFile, 'contains no such key'],
    ] as const) {
      const DIST_DIR = await temporaryFolder();
      const outcome = await runCommand(['build'], {
        CONTENT_DIR: bank.dir,
        DIST_DIR,
        SIGNING_KEY: file,
      });
      assertNoStackTrace(outcome);
      assert.equal(outcome.status, 2);
      assert.ok(
        outcome.stderr.startsWith(`${file} ${reason}. SIGNING_KEY must be a file`),
        outcome.stderr,
      );
      assert.match(outcome.stderr, /openssl genpkey -algorithm ed25519 -out signing-key\.pem\n$/);
    }
  });
});

describe('npm run verify with a public key', () => {
  let distDir: string;
  let content: BankFolder;

  before(async () => {
    [content, distDir] = [await makeBank(), await temporaryFolder()];
    // By the command, as the configuration of the repository is that of both.
    const settings = { CONTENT_DIR: content.dir, DIST_DIR: distDir };
    await runCommand(['build'], { ...settings, SIGNING_KEY: key.privateFile });
  });

  const verifyWith = async (...args: string[]) => {
    const outcome = await runCommand(['verify', ...args], {
      CONTENT_DIR: content.dir,
      DIST_DIR: distDir,
    });
    assertNoStackTrace(outcome);
    return outcome;
  };

  it('accepts a release that is signed with its private key', async () => {
    const { status, stdout, stderr } = await verifyWith('--public-key', key.publicFile);
    assert.equal(status, 0, stderr);
    assert.match(
      stdout,
      /^Release \w+ is undamaged \(\d+ files\), signed with this key and identical to /,
    );
  });

  it('rejects a release with another signature, another root, or no signature', async () => {
    const notSigned = async (publicFile: string) => {
      const { status, stderr } = await verifyWith('--public-key', publicFile);
      assert.equal(status, 1);
      assert.match(stderr, /^Release \w+ is not signed with this key: /);
    };
    await notSigned(otherKey.publicFile);
    const folder = join(distDir, 'current');
    const { root } = await readCurrent(distDir);
    await writeFile(join(folder, rootFile), JSON.stringify(sealRoot({ ...root, years: {} })));
    await notSigned(key.publicFile);
    await rm(join(folder, 'root.sig'));
    await notSigned(key.publicFile);
  });

  it('rejects a file that has no public key', async () => {
    const { status, stderr } = await verifyWith('--public-key', content.dir);
    assert.equal(status, 2);
    assert.match(
      stderr,
      /cannot be read \(EISDIR\)\. --public-key must be a file with an Ed25519 public key/,
    );
  });
});
