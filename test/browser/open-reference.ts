import { after } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { type RunningGateway, runGateway } from '../gateway/running-gateway.ts';
import { startBrowser } from './browser.ts';
import { openWatched, type WatchedPage } from './watched-page.ts';

/** A gateway, and a browser that opens its reference; both end with the suite that asks. */
export interface OpenReference extends RunningGateway {
  readonly browser: Browser;
  /** Opens the page in a context of its own. */
  open(options?: BrowserContextOptions): Promise<WatchedPage>;
}

export async function openReference(): Promise<OpenReference> {
  const running = await runGateway();
  const browser = await startBrowser();
  after(async () => {
    await browser.close();
    await running.close();
  });
  return {
    ...running,
    browser,
    async open(options = {}) {
      const watched = await openWatched(await browser.newContext(options), running.baseUrl);
      await watched.page.goto(`${running.baseUrl}/docs/`, { waitUntil: 'networkidle' });
      return watched;
    },
  };
}
