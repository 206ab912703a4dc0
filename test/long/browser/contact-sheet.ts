/**
 * `npm run test:long -- contact-sheet`: screenshots of the pages of a bank at three widths, light and dark, in one image,
 * `contact-sheet.png` in the folder for temporary files.
 *
 * PAGES in the environment selects pages by a part of their path, and DIST_DIR names another release than that of the
 * sample bank.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMailbox } from '../../gateway/accounts/users/mailbox.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { startBrowser } from './browser.ts';
import { fillSampleAccount } from './sample-account.ts';

const paths = [
  ...['/docs/', '/docs/reference/', '/docs/guides/', '/docs/guides/limits/', '/docs/none'],
  ...['/docs/catalogue/', '/docs/catalogue/neet/', '/docs/samples/'],
  ...['/docs/samples/neet/2026/2026-01-01-s1/physics/'],
  ...['/dashboard/', '/dashboard/account/', '/dashboard/sign-in/', '/dashboard/sign-up/'],
].filter((path) => path.includes(process.env['PAGES'] ?? ''));
const windows = [390, 1280, 1920].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);
const height = 1100;
const folder = join(tmpdir(), 'contact-sheet');

const mailbox = await openMailbox();
const { DIST_DIR } = process.env;
const settings = { SMTP_URL: mailbox.url, ...(DIST_DIR && { DIST_DIR }) };
const running = await runGateway(settings, 'in-real-time');
const browser = await startBrowser();
try {
  const storageState = await fillSampleAccount(running, mailbox);
  await mkdir(folder, { recursive: true });
  const rows: string[] = [];
  for (const path of paths) {
    const images: string[] = [];
    for (const { width, colorScheme } of windows) {
      const isVisitor = path.includes('/sign-');
      const context = await browser.newContext({
        ...{ baseURL: running.baseUrl, colorScheme, viewport: { width, height } },
        ...(!isVisitor && { storageState }),
      });
      const page = await context.newPage();
      await page.goto(path, { waitUntil: 'networkidle' });
      const image = await page.screenshot();
      const name = `${path.replaceAll(/\W+/g, '-')}${width}-${colorScheme}.png`;
      await writeFile(join(folder, name), image);
      images.push(
        `<img height="${height / 2}" src="data:image/png;base64,${image.toString('base64')}">`,
      );
      await context.close();
    }
    rows.push(`<h2>${path}</h2><div>${images.join(' ')}</div>`);
  }
  const sheet = await browser.newPage({ viewport: { width: 3700, height: 600 } });
  await sheet.setContent(`<body style="font:2rem sans-serif">${rows.join('\n')}`);
  const file = join(tmpdir(), 'contact-sheet.png');
  await writeFile(file, await sheet.screenshot({ fullPage: true }));
  console.log(`${file}: ${paths.length} pages at ${windows.length} windows`);
} finally {
  await browser.close();
  await running.close();
  await mailbox.close();
}
