import { after } from 'node:test';
import type { Browser } from 'playwright-core';
import { type RunningGateway, runGateway } from '../gateway/running-gateway.ts';
import { startBrowser } from './browser.ts';

/** A gateway with everything embedded, and a browser to look at it with; both end with the suite that asks. */
export async function openDashboard(): Promise<RunningGateway & { readonly browser: Browser }> {
  const running = await runGateway({}, 'embedded');
  const browser = await startBrowser();
  after(async () => {
    await browser.close();
    await running.close();
  });
  return { ...running, browser };
}
