/**
 * `npm run test:long -- contact-sheet`: draws the pages at three widths, light and dark, into one image,
 * `contact-sheet.png` in the folder for temporary files: all pages of the sample bank and of the preview, and those that
 * change with the content for banks of 1, 12 and 400 papers and one from right to left. Names the pages that differ from
 * the pictures in `accepted/`; `--accept` replaces those.
 *
 * PAGES in the environment selects pages by a part of their name.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, BrowserContextOptions, Page, Route } from 'playwright-core';
import { startPreview } from '../../../build/preview/preview.ts';
import { inParallel } from '../../../build/release/files.ts';
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
import { makePreviewBank, printedPage } from './preview-bank.ts';
import { fillSampleAccount } from './sample-account.ts';

const windows = [390, 1280, 1920].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);
const height = 1100;
/** Pages that load at the same time. */
const concurrency = 3;
/** A cell of an accepted picture is the mean of so many pixels in each direction. */
const cell = 40;
/** Cells may differ by so many of 255 levels of gray, and so many cells of a page by more. */
const [levels, cells] = [12, 8];

const folder = join(tmpdir(), 'contact-sheet');
const accepted = fileURLToPath(new URL('accepted', import.meta.url));
const isAccepting = process.argv.includes('--accept');
await mkdir(folder, { recursive: true });
await mkdir(accepted, { recursive: true });
const browser = await startBrowser();
/** The pages in order, each with the files of its pictures. */
const rows: { readonly name: string; readonly files: readonly string[] }[] = [];

await takeSampleBank();
await takePreview();
for (const papers of [1, 12, 400]) await takeBank(`${papers} papers`, papers, ['NEET', 'Optics']);
await takeBank('right to left', 12, ['میٹرک', 'نظم']);
const changed = await compareAll();
const file = await drawSheet();
await browser.close();
console.log(`${file}: ${rows.length} pages at ${windows.length} windows`);
if (changed.length > 0) {
  console.error(`Changed, accept with --accept:\n${changed.join('\n')}`);
  process.exitCode = 1;
}

async function takeSampleBank(): Promise<void> {
  const mailbox = await openMailbox();
  const running = await runGateway({ SMTP_URL: mailbox.url }, 'in-real-time');
  const { baseUrl: baseURL } = running;
  const storageState = await fillSampleAccount(running, mailbox);
  await take('', { baseURL, storageState }, [
    ...['/docs/', '/docs/reference/', '/docs/guides/', '/docs/guides/limits/', '/docs/none'],
    ...['/docs/catalogue/', '/docs/catalogue/neet/', '/docs/samples/'],
    ...['/docs/samples/neet/2026/2026-01-01-s1/', '/docs/samples/neet/2026/2026-01-01-s1/physics/'],
    ...['/dashboard/', '/dashboard/account/'],
  ]);
  await take('', { baseURL }, ['/dashboard/sign-in/', '/dashboard/sign-up/']);
  await running.close();
  await mailbox.close();
}

async function takePreview(): Promise<void> {
  const { dir: contentDir } = await makePreviewBank();
  const dataDir = await temporaryFolder();
  const preview = await startPreview({ contentDir, dataDir, clock: () => new Date(), port: 0 });
  const paths = ['/', printedPage, `/-/edit${printedPage}?question=1`];
  await take('preview', { baseURL: preview.url }, paths);
  await preview.close();
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
  const context = await browser.newContext(options);
  await context.route('**/auth/account', showFixedUsage);
  const pages = paths
    .map((path) => ({ path, name: `${path} ${bank}`.trim() }))
    .filter(({ name }) => name.includes(process.env['PAGES'] ?? ''));
  // A page that waits for the typeface shows another one.
  const first = await context.newPage();
  await first.goto(paths[0] ?? '', { waitUntil: 'networkidle' });
  await first.close();
  const taken = new Map<string, readonly string[]>();
  await inParallel(pages, concurrency, async ({ name, path }) => {
    taken.set(name, await picturesOf(context, path, name));
  });
  for (const { name } of pages) rows.push({ name, files: taken.get(name) ?? [] });
  await context.close();
}

/** The usage of a fixed month: the pictures of another day are the same. */
async function showFixedUsage(route: Route): Promise<void> {
  const account = await (await route.fetch()).json();
  const days = Array.from({ length: 20 }, (_, index) => {
    const day = `2026-11-${String(index + 1).padStart(2, '0')}`;
    return { day, used: (index * 17) % 60, rejectedByRate: index % 6, rejectedByQuota: 0 };
  });
  const usage = { ...account.usage, month: '2026-11', resetAt: '2099-12-01T00:00:00.000Z', days };
  await route.fulfill({ json: { ...account, createdAt: '2026-11-01T00:00:00.000Z', usage } });
}

/** Takes a picture in each window. @returns their files */
async function picturesOf(context: BrowserContext, path: string, name: string): Promise<string[]> {
  const page = await context.newPage();
  const files: string[] = [];
  await page.goto(path, { waitUntil: 'networkidle' });
  for (const { width, colorScheme } of windows) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    const file = join(folder, `${fileNameOf(name)}-${width}-${colorScheme}.png`);
    await writeFile(file, await settledPicture(page));
    files.push(file);
  }
  await page.close();
  return files;
}

/** A picture of a page that is painted in its size: the second of two that are the same. */
async function settledPicture(page: Page): Promise<Buffer> {
  let picture = await page.screenshot({ animations: 'disabled' });
  for (let attempt = 1; attempt < 20; attempt += 1) {
    const next = await page.screenshot({ animations: 'disabled' });
    if (next.equals(picture)) return next;
    picture = next;
  }
  throw new Error(`${page.url()} does not come to rest.`);
}

function fileNameOf(name: string): string {
  return name.replaceAll(/\W+/g, '-').replaceAll(/^-|-$/g, '');
}

/** Draws the small picture of each page, and compares it with the accepted one. @returns the names of those that differ */
async function compareAll(): Promise<string[]> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 100 } });
  const changed: string[] = [];
  for (const { name, files } of rows) {
    const small = await smallPicture(page, files);
    const file = join(accepted, `${fileNameOf(name)}.png`);
    if (isAccepting) await writeFile(file, small);
    else if (!existsSync(file)) changed.push(`${name}: no accepted picture`);
    else {
      const different = await differentCells(page, [small, await readFile(file)]);
      if (different > cells) changed.push(`${name}: ${different} cells differ`);
    }
  }
  await page.close();
  return changed;
}

/** The pictures of a page beside each other, gray and small. */
async function smallPicture(page: Page, files: readonly string[]): Promise<Buffer> {
  const images = await Promise.all(
    files.map(async (file, index) => {
      const width = (windows[index]?.width ?? 0) / cell;
      return `<img width="${width}" height="${height / cell}" src="${dataUrl(await readFile(file))}">`;
    }),
  );
  const style = 'display: inline-flex; margin: 0; filter: grayscale(1)';
  await page.setContent(`<body style="${style}">${images.join('')}`);
  return page.locator('body').screenshot();
}

/** The number of cells that differ between two pictures; all if one is larger. */
async function differentCells(page: Page, pictures: readonly Buffer[]): Promise<number> {
  return page.evaluate(`(async (urls) => {
    const [one, other] = await Promise.all(urls.map(async (url) => {
      const image = await createImageBitmap(await (await fetch(url)).blob());
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data.filter((_, index) => index % 4 === 0);
    }));
    if (one.length !== other.length) return one.length;
    return one.filter((level, index) => Math.abs(level - other[index]) > ${levels}).length;
  })(${JSON.stringify(pictures.map(dataUrl))})`);
}

function dataUrl(image: Buffer): string {
  return `data:image/png;base64,${image.toString('base64')}`;
}

/** Draws all pictures into one. */
async function drawSheet(): Promise<string> {
  const parts = rows.map(({ name, files }) => {
    const images = files.map((one) => `<img height="400" src="${one}">`);
    return `<h2>${name}</h2><div>${images.join(' ')}</div>`;
  });
  const source = join(folder, 'index.html');
  await writeFile(source, `<body style="font: 1.5rem sans-serif">${parts.join('\n')}`);
  const page = await browser.newPage({ viewport: { width: 2700, height: 600 } });
  await page.goto(`file://${source}`);
  const file = join(tmpdir(), 'contact-sheet.png');
  await page.screenshot({ path: file, fullPage: true });
  return file;
}
