import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { verifiedId } from '../../build/verified-release.ts';
import { startCommand } from '../../gateway/started-process.ts';
import { inMountNamespace, noMounts } from '../../mount-namespace.ts';
import { build, buildCold, newBuildFolders } from './build-process.ts';
import { ContentFolder, editedContents, mediumBank } from './medium-bank.ts';

/**
 * Mounts a small disk, copies the output of a first build to it, fills it up to a number of bytes, builds other
 * content, copies the files to a folder that remains, and builds once more with space. Exits with the status of the first of these builds.
 */
const script = `
set -e
disk=$1 out=$2 made=$3 second=$4 size=$5 left=$6; shift 6
mount -t tmpfs -o "size=$size" tmpfs "$disk"
cp -a "$made/dist" "$made/data" "$disk"
export DIST_DIR=$disk/dist DATA_DIR=$disk/data
dd if=/dev/zero of="$disk/full" bs=64k 2>/dev/null || true
truncate -s "-$left" "$disk/full"
status=0
CONTENT_DIR=$second "$@" || status=$?
cp -a "$disk/dist" "$out"
rm "$disk/full"
CONTENT_DIR=$second "$@"
cp -a "$disk/dist" "$out-afterwards"
exit "$status"
`;

describe('A build on a full disk', { skip: noMounts }, async () => {
  const folder = await ContentFolder.of(mediumBank());
  const { dir: second } = await ContentFolder.of(
    editedContents(mediumBank(), 5).at(-1)?.files ?? {},
  );
  const buildFolders = await newBuildFolders(folder.dir);
  await build(buildFolders);
  const whole = await verifiedId(buildFolders.dist);
  const next = await verifiedId(await buildCold(second));

  for (const left of [0, 8192, 100_000]) {
    it(`(${left} bytes left) fails with an error message and does not change the current release`, async () => {
      const [disk, out] = [await temporaryFolder(), join(await temporaryFolder(), 'dist')];
      const command = [process.execPath, 'build/pastpaper.js', 'build'];
      const words = [
        disk,
        out,
        dirname(buildFolders.dist),
        second,
        '32m',
        String(left),
        ...command,
      ];
      const [program = '', ...args] = [
        ...inMountNamespace,
        '/bin/sh',
        '-c',
        script,
        'sh',
        ...words,
      ];
      const { status, stderr } = await startCommand(program, args, {}).ended;
      assert.equal(status, 2, stderr);
      assert.match(stderr, /The file system rejected [a-z]+ of \S+ \(ENOSPC\)\.\n/);
      assert.doesNotMatch(stderr, /^\s+at |undefined/m);
      assert.equal(await verifiedId(out), whole);
      assert.deepEqual(await readdir(join(out, 'releases')), [whole]);
      assert.deepEqual(
        (await readdir(out)).filter((name) => name.startsWith('.')),
        [],
      );
      // With free space, the build succeeds.
      assert.equal(await verifiedId(`${out}-afterwards`), next);
    });
  }
});
