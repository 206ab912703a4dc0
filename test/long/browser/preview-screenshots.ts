/**
 * Writes screenshots of the preview to `docs/preview/`: a question of the sample bank with an error, and a paper with all that
 * papers print, light with answers and dark in the student view:
 * `node --import tsx test/long/browser/preview-screenshots.ts`.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPreview } from '../../../build/preview/preview.ts';
import { startBrowser } from './browser.ts';
import { makePreviewBank, printedPage } from './preview-bank.ts';
import { shrinkPng } from './shrink-png.ts';

const folder = 'docs/preview';
const file = 'neet/2024/2024-05-05-s1/physics.json';

const work = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const contentDir = join(work, 'content');
await cp('content', contentDir, { recursive: true });
const text = await readFile(join(contentDir, file), 'utf8');
await writeFile(join(contentDir, file), text.replace('$12\\\\,\\\\mathrm{V}$', '$12\\\\,\\\\mathrn{V}$'));
const options = { name: 'Pastpaper', dataDir: join(work, 'data'), clock: () => new Date(), port: 0 };
const preview = await startPreview({ ...options, contentDir, shown: { kind: 'paper', file } });
const { dir } = await makePreviewBank();
const printed = await startPreview({ ...options, contentDir: dir, shown: { kind: 'bank' } });
const browser = await startBrowser();
try {
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 900 } });
    await page.goto(`${preview.url}#question-4`, { waitUntil: 'networkidle' });
    await page.getByText('Reloads when you save.').waitFor();
    await page
      .getByRole('group', { name: 'Problems of question 4' })
      .getByText(/^Line \d+, question/)
      .click();
    await writeFile(join(folder, `question-${colorScheme}.png`), shrinkPng(await page.screenshot()));
    await page.goto(new URL(printedPage, printed.url).href, { waitUntil: 'networkidle' });
    await page.getByText('Reloads when you save.').waitFor();
    if (colorScheme === 'dark') await page.getByLabel('Student view').check();
    else await page.locator('.solution summary').first().click();
    await page.setViewportSize({ width: 820, height: 900 });
    await writeFile(
      join(folder, `paper-${colorScheme}.png`),
      shrinkPng(await page.screenshot({ fullPage: true })),
    );
    await page.close();
  }
} finally {
  await browser.close();
  await Promise.all([preview.close(), printed.close()]);
  await rm(work, { recursive: true });
}
