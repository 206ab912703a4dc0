/**
 * `npm run test:long -- screenshots`: writes screenshots of the pages to `docs/`, from a real gateway with fictional users.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { openMailbox } from '../../gateway/auth/users/mailbox.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { startBrowser } from './browser.ts';
import { runCatalogue } from './catalogue-gateway.ts';
import { onDashboard, rowOf } from './person.ts';
import { fillSampleAccount } from './sample-account.ts';
import { shrinkPng } from './shrink-png.ts';

const folder = 'docs';
/** The address of the API as an operator would set it. */
const shownOrigin = 'https://papers.example.org';
const viewport = { width: 1200, height: 800 };

/** A page, and actions on it before the screenshot. */
interface Picture {
  /** The name of its file in `docs/`, without color scheme and extension. */
  readonly name: string;
  readonly path: string;
  prepare?(page: Page): Promise<void>;
}

const pictures: readonly Picture[] = [
  {
    name: 'reference/try',
    path: `${shownOrigin}/docs/reference/#getYear`,
    async prepare(page) {
      await page.locator('section[aria-labelledby=getYear] [data-try]').click();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('200 OK').waitFor();
    },
  },
  { name: 'reference/endpoint', path: `${shownOrigin}/docs/reference/#getQuestions` },
  { name: 'guides/limits', path: `${shownOrigin}/docs/guides/limits/#download` },
  { name: 'dashboard/overview', path: '/dashboard/', prepare: onDashboard },
  {
    name: 'dashboard/new-key',
    path: '/dashboard/',
    async prepare(page) {
      await onDashboard(page);
      await rowOf(page, 'Laptop').first().getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('button', { name: 'Rotate key' }).click();
      await page.getByRole('heading', { name: '“Laptop” has a new key' }).waitFor();
    },
  },
];

for (const room of ['dashboard', 'reference', 'guides', 'catalogue'])
  await mkdir(join(folder, room), { recursive: true });
const browser = await startBrowser();
try {
  for (const colorScheme of ['light', 'dark'] as const) await takeAll(colorScheme);
  await takeCatalogue();
} finally {
  await browser.close();
}

/** Each color scheme has its own gateway, as the actions change keys. */
async function takeAll(colorScheme: 'light' | 'dark'): Promise<void> {
  const mailbox = await openMailbox();
  // No request is sent to GitHub: the pages only show a button.
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
    await context.route(`${shownOrigin}/**`, async (route) => {
      const url = route.request().url().replace(shownOrigin, running.baseUrl);
      await route.fulfill({ response: await route.fetch({ url }) });
    });
    for (const picture of pictures) await take(context, picture, colorScheme);
    await context.close();
  } finally {
    await running.close();
    await mailbox.close();
  }
}

/** The whole catalogue, in each color scheme. */
async function takeCatalogue(): Promise<void> {
  const { baseUrl, close } = await runCatalogue();
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme, viewport });
      await page.goto(`${baseUrl}/docs/catalogue/`, { waitUntil: 'networkidle' });
      const picture = shrinkPng(await page.screenshot({ fullPage: true }));
      await writeFile(join(folder, `catalogue/overview-${colorScheme}.png`), picture);
      await page.close();
    }
  } finally {
    await close();
  }
}

/** The address of the API as an operator would set it. */
async function nameAddress(route: Route): Promise<void> {
  const told = await (await route.fetch()).json();
  await route.fulfill({ json: { ...told, apiUrl: shownOrigin } });
}

async function take(context: BrowserContext, { name, path, prepare }: Picture, colorScheme: string) {
  const page = await context.newPage();
  await page.goto(path, { waitUntil: 'networkidle' });
  await prepare?.(page);
  await writeFile(join(folder, `${name}-${colorScheme}.png`), shrinkPng(await page.screenshot()));
  await page.close();
}
