import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openMailbox } from '../../gateway/accounts/users/mailbox.ts';
import { waitUntil } from '../../wait-until.ts';
import { openBrowser, openSite } from './browser.ts';
import { fillSampleAccount } from './sample-account.ts';

/** Runs before the scripts of a page, and adds up how far its parts move. */
const observe = `
  globalThis.shift = 0;
  globalThis.moved = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      globalThis.shift += value;
      globalThis.moved.push(...sources.map(({ node }) => node?.outerHTML));
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;

const sample = '/docs/samples/neet/2026/2026-01-01-s1/';
const paths = [
  ...['/docs/', '/docs/reference/', '/docs/reference/#getQuestions', '/docs/none'],
  ...['/docs/guides/', '/docs/guides/limits/', '/docs/guides/checksum/'],
  ...['/docs/catalogue/', '/docs/catalogue/neet/'],
  '/docs/catalogue/neet/?topic=physics/Optics#questions',
  ...['/docs/samples/', sample, `${sample}physics/`],
  ...['/dashboard/', '/dashboard/account/'],
];
const signedOut = ['sign-in', 'sign-up', 'forgot-password', 'reset-password'];

describe('A page', async () => {
  const browser = await openBrowser();
  const mailbox = await openMailbox();
  const github = { GITHUB_CLIENT_ID: 'made-up', GITHUB_CLIENT_SECRET: 'made-up' };
  const running = await openSite(browser, { SMTP_URL: mailbox.url, ...github });
  const { baseUrl: baseURL } = running;
  const storageState = await fillSampleAccount(running, mailbox);
  await mailbox.close();

  for (const width of [390, 1280]) {
    const viewport = { width, height: 800 };
    const contexts = [
      [paths, await browser.newContext({ baseURL, viewport, storageState })],
      [
        signedOut.map((name) => `/dashboard/${name}/`),
        await browser.newContext({ baseURL, viewport }),
      ],
    ] as const;
    for (const [ofContext, context] of contexts)
      for (const path of ofContext)
        it(`moves nothing while it loads: ${path}, ${width} pixels`, async () => {
          const page = await context.newPage();
          await page.addInitScript(observe);
          await page.goto(path, { waitUntil: 'networkidle' });
          const shift: number = await page.evaluate('shift');
          // The origin in a sample can be longer than that of the build.
          assert.ok(shift < 0.001, `${shift} ${JSON.stringify(await page.evaluate('moved'))}`);
          await page.close();
        });
  }

  it('is painted before its scripts have arrived', async () => {
    for (const path of [...paths.slice(0, -2), '/dashboard/sign-in/']) {
      const page = await browser.newPage({ baseURL });
      await page.route('**/*.js?*', () => {});
      await page.goto(path, { waitUntil: 'commit' });
      await page.locator('h1').waitFor();
      await waitUntil(() => page.evaluate('performance.getEntriesByType("paint").length > 0'));
      await page.close();
    }
  });
});
