/** Starts Chromium, and opens pages in it. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, afterEach, beforeEach } from 'node:test';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core';
import { type RunningGateway, runGateway } from '../../gateway/running-gateway.ts';
import { waitUntil } from '../../wait-until.ts';

const executablePath = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync);

/** Why the weight of pages is not measured; in CI a missing browser is a failure. */
export const skip =
  executablePath === undefined && !process.env['CI']
    ? 'there is no Chromium on this machine'
    : false;

/** Starts the installed Chromium, with all background requests disabled. */
export function startBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('CI needs Chromium: apt-get install chromium.');
  const disabled = [
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-sync',
  ];
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...disabled] });
}

/** Starts a browser that closes with the calling suite. */
export async function openBrowser(): Promise<Browser> {
  const browser = await startBrowser();
  after(() => browser.close());
  return browser;
}

/** A page in its own context, which closes with the calling suite. */
export interface WatchedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Loads a path of the service, and waits until its scripts have run and there are no more requests. */
  open(path: string): Promise<void>;
  /** Forgets the errors of a test that causes them. */
  forgetErrors(): void;
}

/**
 * Opens a page. Signs out before each test of the calling suite, and fails the test if the page reports an error: a console
 * message, also on violations of the Content-Security-Policy; an exception; an error response, except of the authentication
 * service; or a request to another host.
 *
 * @param baseUrl the only origin to which the page may send requests
 */
export async function openPage(
  browser: Browser,
  baseUrl: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL: baseUrl, ...options });
  const page = await context.newPage();
  const errors: string[] = [];
  const forgetErrors = () => void errors.splice(0);
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    const isRejection =
      message.location().url.startsWith(`${baseUrl}/auth/`) &&
      /status of 4\d\d/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isRejection) errors.push(message.text());
  });
  const pending = new Set<Request>();
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') pending.add(request);
    if (new URL(request.url()).origin !== baseUrl) errors.push(`requested ${request.url()}`);
  });
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400 && !pathname.startsWith('/auth/'))
      errors.push(`${response.status()} ${pathname}`);
  });
  beforeEach(async () => {
    await context.clearCookies();
    forgetErrors();
  });
  afterEach(() => assert.deepEqual(errors, []));
  after(() => context.close());
  return {
    context,
    page,
    async open(path) {
      pending.clear();
      await page.goto(path);
      // A response may lead to a further request.
      do {
        await waitUntil(() => pending.size === 0);
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
      } while (pending.size > 0);
    },
    forgetErrors,
  };
}

/**
 * Starts a gateway with everything embedded, and opens a page for it.
 *
 * @param settings environment variables of the gateway
 */
export async function openSite(
  browser: Browser,
  settings: Readonly<Record<string, string>> = {},
  options: BrowserContextOptions = {},
): Promise<RunningGateway & WatchedPage> {
  const running = await runGateway(settings, 'in-real-time');
  const watched = await openPage(browser, running.baseUrl, options);
  after(() => running.close());
  return { ...running, ...watched };
}

/** Opens a page without scripts. It closes with the browser. */
export async function openWithoutScripts(browser: Browser, baseURL: string): Promise<Page> {
  return (await browser.newContext({ baseURL, javaScriptEnabled: false })).newPage();
}
