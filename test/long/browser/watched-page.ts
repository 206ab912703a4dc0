import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** A page in its own context, with all errors since it was opened or reset. */
export interface WatchedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly errors: readonly string[];
  /** Loads a path of the service, and waits until there are no more requests. */
  open(path: string): Promise<void>;
  /** Signs out and clears the errors. */
  reset(): Promise<void>;
}

/**
 * Opens a page and records console messages, including violations of the Content-Security-Policy, exceptions, and requests
 * to other hosts. Error responses of the service are not recorded.
 *
 * @param baseUrl the only origin to which the page may send requests
 */
export async function openWatched(
  browser: Browser,
  baseUrl: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL: baseUrl, ...options });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    const isRefusal =
      message.location().url.startsWith(`${baseUrl}/auth/`) && /status of 4\d\d/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isRefusal) errors.push(message.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== baseUrl) errors.push(`asked ${request.url()}`);
  });
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400 && !pathname.startsWith('/auth/'))
      errors.push(`${response.status()} ${pathname}`);
  });
  return {
    context,
    page,
    errors,
    open: async (path) => void (await page.goto(path, { waitUntil: 'networkidle' })),
    async reset() {
      await context.clearCookies();
      errors.length = 0;
    },
  };
}
