/**
 * Writes pictures of the dashboard's pages to `docs/dashboard/`, from a real gateway with made-up people, and of
 * the catalogue to `docs/catalogue/`: `npm run screenshots`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { openMailbox } from '../gateway/keys/service/mailbox.ts';
import { runGateway } from '../gateway/running-gateway.ts';
import { startBrowser } from './browser.ts';
import { runCatalogue } from './catalogue-gateway.ts';
import { onDashboard, rowOf } from './person.ts';
import { fillSampleAccount } from './sample-account.ts';
import { shrinkPng } from './shrink-png.ts';

const folder = 'docs/dashboard';
const catalogueFolder = 'docs/catalogue';
const viewport = { width: 1200, height: 800 };

/** A page and, where it is not as it comes, what is done on it first. */
interface Picture {
  readonly name: string;
  readonly path: string;
  prepare?(page: Page): Promise<void>;
}

const pictures: readonly Picture[] = [
  { name: 'sign-in', path: '/dashboard/sign-in/' },
  { name: 'sign-up', path: '/dashboard/sign-up/' },
  { name: 'forgot-password', path: '/dashboard/forgot-password/' },
  { name: 'reset-password', path: '/dashboard/reset-password/#token=made-up' },
  { name: 'overview', path: '/dashboard/', prepare: onDashboard },
  {
    name: 'revoke',
    path: '/dashboard/',
    async prepare(page) {
      await onDashboard(page);
      await rowOf(page, 'Nightly import').getByRole('button', { name: 'Revoke' }).click();
    },
  },
  {
    name: 'new-key',
    path: '/dashboard/',
    async prepare(page) {
      await onDashboard(page);
      await rowOf(page, 'Laptop').first().getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('button', { name: 'Rotate key' }).click();
      await page.getByRole('heading', { name: '“Laptop” has a new key' }).waitFor();
    },
  },
];

await mkdir(folder, { recursive: true });
await mkdir(catalogueFolder, { recursive: true });
const browser = await startBrowser();
try {
  for (const colorScheme of ['light', 'dark'] as const) await takeAll(colorScheme);
  await takeCatalogue();
} finally {
  await browser.close();
}

/** Each colour scheme has a gateway of its own: the pictures of one change its keys. */
async function takeAll(colorScheme: 'light' | 'dark'): Promise<void> {
  const mailbox = await openMailbox();
  // GitHub is never asked: the pages show a button.
  const github = { GITHUB_CLIENT_ID: 'made-up', GITHUB_CLIENT_SECRET: 'made-up' };
  const running = await runGateway({ SMTP_URL: mailbox.url, ...github }, 'embedded');
  try {
    const session = await fillSampleAccount(running, mailbox);
    const context = await browser.newContext({
      baseURL: running.baseUrl,
      colorScheme,
      viewport,
      storageState: session,
    });
    await context.route('**/auth/settings', nameAddress);
    for (const picture of pictures) await take(context, picture, colorScheme);
    await context.close();
  } finally {
    await running.close();
    await mailbox.close();
  }
}

/** The catalogue as a whole, in each colour scheme. */
async function takeCatalogue(): Promise<void> {
  const { baseUrl, close } = await runCatalogue();
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme, viewport });
      await page.goto(`${baseUrl}/docs/catalogue/`, { waitUntil: 'networkidle' });
      const picture = shrinkPng(await page.screenshot({ fullPage: true }));
      await writeFile(join(catalogueFolder, `overview-${colorScheme}.png`), picture);
      await page.close();
    }
  } finally {
    await close();
  }
}

/** The address of the API as an operator would set it. */
async function nameAddress(route: Route): Promise<void> {
  const told = await (await route.fetch()).json();
  await route.fulfill({ json: { ...told, apiUrl: 'https://papers.example.org' } });
}

async function take(context: BrowserContext, { name, path, prepare }: Picture, colorScheme: string) {
  const page = await context.newPage();
  await page.goto(path, { waitUntil: 'networkidle' });
  await prepare?.(page);
  await writeFile(join(folder, `${name}-${colorScheme}.png`), shrinkPng(await page.screenshot()));
  await page.close();
}
