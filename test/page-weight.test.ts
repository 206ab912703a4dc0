import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCurrent } from '../build/release/read.ts';
import { sampleRelease } from './gateway/sample-release.ts';
import { loadsOf, pageBudget, pagesOf } from './long/site/pages.ts';

const release = await readCurrent(await sampleRelease());

describe('The compressed resources of a page', () => {
  for (const page of pagesOf(release)) {
    it(`are at most 250 KB: /${page}/`, async () => {
      const loads = await loadsOf(release, page);
      const total = [...loads.values()].reduce((sum, size) => sum + size, 0);
      assert.ok(
        total <= pageBudget,
        `${total} bytes: ${JSON.stringify(Object.fromEntries(loads))}`,
      );
    });
  }

  it('of the reference are the page, its style sheet, three scripts and the icon: at most 27 KB', async () => {
    const loads = await loadsOf(release, 'docs/reference');
    assert.deepEqual([...loads.keys()].sort(), [
      'docs/page.js',
      'docs/reference',
      'docs/reference.js',
      'docs/search.js',
      'docs/style.css',
      'favicon.ico',
    ]);
    const total = [...loads.values()].reduce((sum, size) => sum + size, 0);
    assert.ok(total <= 27_000, `${total} bytes`);
  });
});
