import type { BrowserContext, Page } from 'playwright-core';

/** A page, and everything that went wrong in it so far. */
export interface WatchedPage {
  readonly page: Page;
  readonly faults: readonly string[];
}

/**
 * Opens a page and notes what its console says, what it throws, and what it asks of another host. A
 * violation of the Content-Security-Policy is said by the console. That the service refuses something is no
 * fault of the page.
 *
 * @param baseUrl the only origin that the page may ask
 */
export async function openWatched(context: BrowserContext, baseUrl: string): Promise<WatchedPage> {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    const isRefusal =
      message.location().url.startsWith(`${baseUrl}/auth/`) && /status of 4\d\d/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isRefusal) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== baseUrl) faults.push(`asked ${request.url()}`);
  });
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400 && !pathname.startsWith('/auth/'))
      faults.push(`${response.status()} ${pathname}`);
  });
  return { page, faults };
}
