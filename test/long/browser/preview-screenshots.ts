/**
 * Writes screenshots of the preview to `docs/preview/`, from the sample bank with an error:
 * `node --import tsx test/long/browser/preview-screenshots.ts`.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPreview } from '../../../build/preview/preview.ts';
import { startBrowser } from './browser.ts';
import { shrinkPng } from './shrink-png.ts';

const folder = 'docs/preview';
const file = 'neet/2024/2024-05-05-s1/physics.json';

const work = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const contentDir = join(work, 'content');
await cp('content', contentDir, { recursive: true });
const text = await readFile(join(contentDir, file), 'utf8');
await writeFile(join(contentDir, file), text.replace('$12\\\\,\\\\mathrm{V}$', '$12\\\\,\\\\mathrn{V}$'));
const preview = await startPreview({
  ...{ contentDir, dataDir: join(work, 'data'), clock: () => new Date(), port: 0 },
  shown: { kind: 'paper', file },
});
const browser = await startBrowser();
try {
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 900 } });
    await page.goto(`${preview.url}#question-4`, { waitUntil: 'networkidle' });
    await page.getByText('Follows what you save.').waitFor();
    await page
      .getByRole('group', { name: 'Problems of question 4' })
      .getByText(/^Line \d+, question/)
      .click();
    await writeFile(join(folder, `question-${colorScheme}.png`), shrinkPng(await page.screenshot()));
    await page.close();
  }
} finally {
  await browser.close();
  await preview.close();
  await rm(work, { recursive: true });
}
