/**
 * `npm run test:long -- contact-sheet`: screenshots of the pages at three widths, light and dark, in one image,
 * `contact-sheet.png` in the folder for temporary files: all pages of the sample bank, and those that change with the
 * content for banks of 1, 12 and 400 papers and one from right to left.
 *
 * PAGES in the environment selects pages by a part of their name.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import {
  makeFolderOf,
  paperOf,
  sampleQuestions,
  temporaryFolder,
} from '../../build/bank-folder.ts';
import { publishedFolder } from '../../build/release-folder.ts';
import { openMailbox } from '../../gateway/accounts/users/mailbox.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { startBrowser } from './browser.ts';
import { fillSampleAccount } from './sample-account.ts';

const windows = [390, 1280, 1920].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);
const height = 1100;
const folder = join(tmpdir(), 'contact-sheet');
await mkdir(folder, { recursive: true });
const browser = await startBrowser();
const rows: string[] = [];

await takeSampleBank();
for (const papers of [1, 12, 400]) await takeBank(`${papers} papers`, papers, ['NEET', 'Optics']);
await takeBank('right to left', 12, ['میٹرک', 'نظم']);
const sheet = await browser.newPage({ viewport: { width: 3700, height: 600 } });
await sheet.setContent(`<body style="font: 2rem sans-serif">${rows.join('\n')}`);
const file = join(tmpdir(), 'contact-sheet.png');
await writeFile(file, await sheet.screenshot({ fullPage: true }));
await browser.close();
console.log(`${file}: ${rows.length} pages at ${windows.length} windows`);

async function takeSampleBank(): Promise<void> {
  const mailbox = await openMailbox();
  const running = await runGateway({ SMTP_URL: mailbox.url }, 'in-real-time');
  const { baseUrl: baseURL } = running;
  const storageState = await fillSampleAccount(running, mailbox);
  await take('', { baseURL, storageState }, [
    ...['/docs/', '/docs/reference/', '/docs/guides/', '/docs/guides/limits/', '/docs/none'],
    ...['/docs/catalogue/', '/docs/catalogue/neet/', '/docs/samples/'],
    ...['/docs/samples/neet/2026/2026-01-01-s1/physics/', '/dashboard/', '/dashboard/account/'],
  ]);
  await take('', { baseURL }, ['/dashboard/sign-in/', '/dashboard/sign-up/']);
  await running.close();
  await mailbox.close();
}

/** A bank of papers with one question each, ten a year. @param names of its exam and the topic */
async function takeBank(
  name: string,
  papers: number,
  [label, topic]: readonly [string, string],
): Promise<void> {
  const files = Array.from({ length: papers }, (_, index) => {
    const [year, month] = [2026 - Math.floor(index / 10), 1 + (index % 10)];
    const shift = `${year}-${String(month).padStart(2, '0')}-01-s1`;
    const question = {
      ...sampleQuestions.mcq,
      id: `q${index}`,
      question: `Which? ${index}`,
      topic,
    };
    return [`exam/${year}/${shift}/physics.json`, paperOf(question)] as const;
  });
  const exam = { label, subjects: ['physics'] };
  const { dir } = await makeFolderOf({ 'exam/exam.json': exam, ...Object.fromEntries(files) });
  const DIST_DIR = await temporaryFolder();
  await publishedFolder(dir, DIST_DIR);
  const running = await runGateway({ DIST_DIR }, 'in-real-time');
  const paths = ['/docs/', '/docs/catalogue/', '/docs/catalogue/exam/'];
  await take(name, { baseURL: running.baseUrl }, paths);
  await running.close();
}

/** Adds a row for each path that PAGES selects. @param bank the name of the bank */
async function take(
  bank: string,
  options: BrowserContextOptions,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    const name = `${path} ${bank}`.trim();
    if (!name.includes(process.env['PAGES'] ?? '')) continue;
    const images: string[] = [];
    for (const { width, colorScheme } of windows) {
      const context = await browser.newContext({
        ...{ ...options, colorScheme, viewport: { width, height } },
      });
      const page = await context.newPage();
      await page.goto(path, { waitUntil: 'networkidle' });
      const image = await page.screenshot();
      const imageFile = `${name.replaceAll(/\W+/g, '-')}-${width}-${colorScheme}.png`;
      await writeFile(join(folder, imageFile), image);
      const source = `data:image/png;base64,${image.toString('base64')}`;
      images.push(`<img height="${height / 2}" src="${source}">`);
      await context.close();
    }
    rows.push(`<h2>${name}</h2><div>${images.join(' ')}</div>`);
  }
}
