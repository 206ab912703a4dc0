import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sampleRelease } from './gateway/sample-release.ts';
import { loadsOf, manifestOf, pageBudget, pagesOf } from './long/site/pages.ts';

const release = join(await sampleRelease(), 'current');
const manifest = await manifestOf(release);

describe('The compressed resources of a page', () => {
  for (const page of pagesOf(manifest)) {
    it(`are at most 250 KB: /${page}/`, async () => {
      const loads = await loadsOf(release, manifest, page);
      const total = [...loads.values()].reduce((sum, size) => sum + size, 0);
      assert.ok(total <= pageBudget, `${total} bytes: ${JSON.stringify(Object.fromEntries(loads))}`);
    });
  }

  it('of the reference are the page, its style sheet, its script and the icon', async () => {
    const loads = await loadsOf(release, manifest, 'docs');
    assert.deepEqual([...loads.keys()].sort(), [
      'docs',
      'docs/reference.js',
      'docs/style.css',
      'favicon.ico',
    ]);
  });
});
