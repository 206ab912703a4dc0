/**
 * `npm run test:long -- screenshots`: writes screenshots of the pages to `docs/`, from a real gateway with fictional users,
 * and of the preview: a question of the sample bank with an error, and a paper with all that papers print, light with
 * answers and dark in the student view.
 */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { startPreview } from '../../../build/preview/preview.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { openMailbox } from '../../gateway/accounts/users/mailbox.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { startBrowser } from './browser.ts';
import { onDashboard } from './person.ts';
import { makePreviewBank, printedPage } from './preview-bank.ts';
import { fillSampleAccount } from './sample-account.ts';

/** The address of the API as an operator would set it. */
const shownOrigin = 'https://papers.example.org';
const viewport = { width: 1200, height: 800 };

/** A page, and actions on it before the screenshot. */
interface Picture {
  /** The name of its file in `docs/`, without color scheme and extension. */
  readonly name: string;
  readonly url: string;
  readonly fullPage?: boolean;
  prepare?(page: Page): Promise<void>;
}

const pictures: readonly Picture[] = [
  { name: 'dashboard/overview', url: '/dashboard/', prepare: onDashboard },
];

const browser = await startBrowser();
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    await takeSite(colorScheme);
    await takePreview(colorScheme);
  }
} finally {
  await browser.close();
}

/** Each color scheme has its own gateway, as the actions change keys. */
async function takeSite(colorScheme: 'light' | 'dark'): Promise<void> {
  const mailbox = await openMailbox();
  // No request is sent to GitHub: the pages only show a button.
  const github = { GITHUB_CLIENT_ID: 'made-up', GITHUB_CLIENT_SECRET: 'made-up' };
  const running = await runGateway({ SMTP_URL: mailbox.url, ...github }, 'in-real-time');
  const session = await fillSampleAccount(running, mailbox);
  const context = await browser.newContext({
    ...{ baseURL: running.baseUrl, colorScheme, viewport, storageState: session },
  });
  await context.route('**/auth/settings', showOrigin);
  await context.route(`${shownOrigin}/**`, async (route) => {
    const url = route.request().url().replace(shownOrigin, running.baseUrl);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  for (const picture of pictures) await take(await context.newPage(), picture, colorScheme);
  await context.close();
  await running.close();
  await mailbox.close();
}

async function showOrigin(route: Route): Promise<void> {
  const settings = await (await route.fetch()).json();
  await route.fulfill({ json: { ...settings, apiUrl: shownOrigin } });
}

async function takePreview(colorScheme: 'light' | 'dark'): Promise<void> {
  const file = 'neet/2024/2024-03-01-s1/physics.json';
  const contentDir = await temporaryFolder();
  await cp('content', contentDir, { recursive: true });
  const text = await readFile(join(contentDir, file), 'utf8');
  await writeFile(
    join(contentDir, file),
    text.replace('$12\\\\,\\\\mathrm{V}$', '$12\\\\,\\\\mathrn{V}$'),
  );
  const options = { dataDir: await temporaryFolder(), clock: () => new Date(), port: 0 };
  const preview = await startPreview({ ...options, contentDir, file });
  const { dir } = await makePreviewBank();
  const printed = await startPreview({ ...options, contentDir: dir });
  const context = await browser.newContext({ colorScheme, viewport: { width: 1200, height: 900 } });
  const question: Picture = {
    name: 'preview/question',
    url: `${preview.url}#question-4`,
    async prepare(page) {
      await page.getByText('Reloads when you save.').waitFor();
      const problems = page.getByRole('group', { name: 'Problems of question 4' });
      await problems.getByText(/^Line \d+, question/).click();
    },
  };
  const paper: Picture = {
    name: 'preview/paper',
    url: new URL(printedPage, printed.url).href,
    fullPage: true,
    async prepare(page) {
      await page.getByText('Reloads when you save.').waitFor();
      if (colorScheme === 'dark') await page.getByLabel('Student view').check();
      else await page.locator('.solution summary').first().click();
      await page.setViewportSize({ width: 820, height: 900 });
      // The header bar is at the top.
      await page.evaluate('scrollTo(0, 0)');
    },
  };
  for (const picture of [question, paper])
    await take(await context.newPage(), picture, colorScheme);
  await context.close();
  await Promise.all([preview.close(), printed.close()]);
}

async function take(
  page: Page,
  { name, url, fullPage = false, prepare }: Picture,
  colorScheme: string,
) {
  await page.goto(url, { waitUntil: 'networkidle' });
  await prepare?.(page);
  const file = join('docs', `${name}-${colorScheme}.png`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, await page.screenshot({ fullPage }));
  await page.close();
}
