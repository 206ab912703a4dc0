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

  it('of the reference are the page, its style sheet, two scripts, the icon and two typefaces: at most 27 KB beside them', async () => {
    const loads = await loadsOf(release, 'docs/reference');
    assert.deepEqual([...loads.keys()].sort(), [
      'docs/inter.woff2',
      'docs/mono.woff2',
      'docs/page.js',
      'docs/reference',
      'docs/reference.js',
      'docs/style.css',
      'favicon.ico',
    ]);
    const total = [...loads.values()].reduce((sum, size) => sum + size, 0);
    const [inter = 0, mono = 0] = ['inter', 'mono'].map((name) => loads.get(`docs/${name}.woff2`));
    assert.ok(inter <= 60_000 && mono <= 60_000, `${inter}, ${mono} bytes`);
    assert.ok(total - inter - mono <= 27_000, `${total - inter - mono} bytes`);
  });

  it('have at most 40 KB of scripts on every page but the reference', async () => {
    for (const page of pagesOf(release)) {
      const loads = [...(await loadsOf(release, page))].filter(([path]) => path.endsWith('.js'));
      const total = loads.reduce((sum, [, size]) => sum + size, 0);
      assert.ok(page === 'docs/reference' || total <= 40_000, `${page}: ${total} bytes`);
    }
  });
});
