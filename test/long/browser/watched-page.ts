import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** A page in a context of its own, and everything that went wrong in it since it was opened or reset. */
export interface WatchedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly faults: readonly string[];
  /** Loads a path of the service, until there are no more requests. */
  open(path: string): Promise<void>;
  /** Signs out and forgets the faults. */
  reset(): Promise<void>;
}

/**
 * Opens a page and notes what its console says, what it throws, and what it asks of another host. A
 * violation of the Content-Security-Policy is said by the console. That the service refuses something is no
 * fault of the page.
 *
 * @param baseUrl the only origin that the page may ask
 */
export async function openWatched(
  browser: Browser,
  baseUrl: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL: baseUrl, ...options });
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
  return {
    context,
    page,
    faults,
    open: async (path) => void (await page.goto(path, { waitUntil: 'networkidle' })),
    async reset() {
      await context.clearCookies();
      faults.length = 0;
    },
  };
}
