import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verifiedId } from '../../build/verified-release.ts';
import { assertNoDrafts, build, buildCold, newBuildFolders, startBuild } from './build-process.ts';
import { ContentFolder, editedContents, mediumBank } from './medium-bank.ts';

const start = mediumBank(16);
const contents = [start, ...editedContents(start, 3).map(({ files }) => files)];

/** Creates a content folder with one of the contents. */
async function contentFolder(number: number): Promise<string> {
  return (await ContentFolder.of(contents.at(number) ?? {})).dir;
}

/** Runs builds at the same time, which must succeed. Returns the release ids that they print. */
async function buildConcurrently(
  content: readonly string[],
  dist: string,
  data: string,
): Promise<string[]> {
  const ended = await Promise.all(
    content.map((each) => startBuild({ content: each, dist, data }).ended),
  );
  return ended.map(({ status, stdout, stderr }) => {
    assert.equal(status, 0, stderr);
    return /^Published release (\w+):/m.exec(stdout)?.[1] ?? assert.fail(stdout);
  });
}

describe('Concurrent builds with the same dist and data folders', () => {
  it('of different contents publish one complete release each, of which one is current', async () => {
    const folders = await Promise.all([0, 4, -1].map(contentFolder));
    const { dist, data } = await newBuildFolders('');
    const ids = await buildConcurrently(folders, dist, data);
    assert.equal(new Set(ids).size, 3);
    for (const id of ids) assert.equal(await verifiedId(dist, id), id);
    assert.ok(ids.includes(await verifiedId(dist)));
    await assertNoDrafts({ dist, data });

    // Their cache entries are correct for later builds.
    for (const content of folders.slice(1)) {
      await build({ content, dist, data });
      assert.equal(await verifiedId(dist), await verifiedId(await buildCold(content)));
    }
  });
});
