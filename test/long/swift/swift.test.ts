/** A release in OpenStack Swift, whose S3 API has no conditional writes and checks signatures. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { main } from '../../../build/cli.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { currentOf, filesBelow } from '../../build/release-folder.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import { runInProcess } from '../../in-process.ts';
import { copyFolder } from '../engine/build-process.ts';
import { startSwift } from './swift-server.ts';

const swift = await startSwift();
after(swift.close);

const store = `${swift.bucket}/sample`;
const dist = await temporaryFolder();
await copyFolder(await sampleRelease(), dist);

function releases(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  return runInProcess(main, ['releases', ...args], { ...swift.env, ...env, DIST_DIR: folder });
}

/** @returns the files that a push has uploaded, and its warnings */
async function push() {
  const { status, stdout, stderr } = await releases(dist, ['push', store, '--json']);
  assert.equal(status, 0, stderr);
  const warnings = stderr.split('\n').filter((line) => line.startsWith('warning: '));
  return { files: Number(JSON.parse(stdout).files), warnings };
}

describe('Swift', () => {
  it('stores the release of the sample bank, lists it in pages, and returns its bytes, with one warning', async () => {
    const first = await push();
    assert.ok(first.files > 400, `${first.files} files`);
    assert.match(
      first.warnings.join('\n'),
      /^warning: \S+ does not support conditional writes\. If two machines .*$/,
    );
    assert.equal((await push()).files, 0);
    const copy = await temporaryFolder();
    const pulled = await releases(copy, ['pull', store]);
    assert.equal(pulled.status, 0, pulled.stderr);
    const [original, copied] = await Promise.all(
      [dist, copy].map((folder) => filesBelow(join(folder, 'releases'))),
    );
    assert.deepEqual(copied, original);
    assert.deepEqual(await readdir(join(copy, 'releases')), [await currentOf(dist)]);
  });

  it('rejects a wrong secret, and the command says so', async () => {
    const { status, stderr } = await releases(dist, ['push', store], {
      AWS_SECRET_ACCESS_KEY: 'wrong',
    });
    assert.equal(status, 1);
    assert.match(
      stderr,
      /current failed with 403: the credentials are wrong, or lack permission for this\.\n$/,
    );
  });
});
