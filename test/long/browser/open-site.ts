import { after } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { type RunningGateway, runGateway } from '../../gateway/running-gateway.ts';
import { startBrowser } from './browser.ts';
import { openWatched, type WatchedPage } from './watched-page.ts';

/** Starts a browser that closes with the calling suite. */
export async function openBrowser(): Promise<Browser> {
  const browser = await startBrowser();
  after(() => browser.close());
  return browser;
}

/**
 * Starts a gateway with everything embedded, and opens a page for it. Both close with the calling suite.
 *
 * @param settings environment variables of the gateway
 */
export async function openSite(
  browser: Browser,
  settings: Readonly<Record<string, string>> = {},
  options: BrowserContextOptions = {},
): Promise<RunningGateway & WatchedPage> {
  const running = await runGateway(settings, 'embedded');
  const watched = await openWatched(browser, running.baseUrl, options);
  after(async () => {
    await watched.context.close();
    await running.close();
  });
  return { ...running, ...watched };
}
