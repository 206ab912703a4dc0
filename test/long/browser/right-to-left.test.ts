import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { defaultBank } from '../../../build/release/config.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { runPreview } from '../../build/preview/running-preview.ts';
import { publishedFolder } from '../../build/release-folder.ts';
import { repository } from '../../gateway/started-process.ts';
import { openBrowser, openPage, openSite } from './browser.ts';

/** What is laid out, by the case: the elements, and the direction of their content. */
const directions = {
  'rtl-formula-mirrored': ['.stem .katex', 'ltr'],
  'rtl-options-ltr': ['.options .value', 'rtl'],
} as const;

describe('A paper from right to left', async () => {
  const browser = await openBrowser();
  for (const [name, [selector, direction]] of Object.entries(directions))
    it(`has its content in the direction of reading, in the preview and on the sample page (${name})`, async () => {
      const content = join(await temporaryFolder(), 'content');
      const files = join(repository, 'test/build/real-files/cases', name, 'bank/content');
      await cp(files, content, { recursive: true });
      const paper = 'x/2024/2024-01-01-s1/s';
      const { origin } = await runPreview(content);
      const { page: preview } = await openPage(browser, origin);
      await preview.goto(`/${paper}`);
      const DIST_DIR = await temporaryFolder();
      await publishedFolder(content, DIST_DIR, undefined, { ...defaultBank, samples: [paper] });
      const { page: sample, open } = await openSite(browser, { DIST_DIR });
      await open(`/docs/samples/${paper}/`);
      for (const page of [preview, sample]) {
        const found = await page
          .locator(selector)
          .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).direction));
        assert.deepEqual(found, [direction, direction]);
      }
    });
});
