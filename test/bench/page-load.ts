import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, CDPSession } from 'playwright-core';

/** The measurements of one page load: bytes on the wire, milliseconds from the request. */
export interface PageLoad {
  readonly requests: number;
  readonly bytes: number;
  /** The bytes of requests that ended before the page was usable. */
  readonly bytesBeforeUsable: number;
  readonly firstPaint: number;
  readonly largestPaint: number;
  /**
   * When the page can be used: its document is parsed, its module has run, its largest part is painted, and no long
   * task is running.
   */
  readonly usable: number;
  /** The time of long tasks beyond 50 ms each, after the first paint. */
  readonly blocked: number;
  /** The sum of all layout shifts: no less than Cumulative Layout Shift. */
  readonly shift: number;
}

/** Whether a page is loaded at full speed or like on a phone. */
export type Pace = 'machine' | 'phone';

/**
 * The throttling of Lighthouse for a phone on slow 4G (150 ms, 1.6 Mbit/s): each request is delayed by the time that
 * connection, TLS and request take together.
 */
const slowNetwork = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: (1638.4 * 0.9 * 1024) / 8,
  uploadThroughput: (750 * 0.9 * 1024) / 8,
};
const slowProcessor = { rate: 4 };

const watchPaints = fileURLToPath(new URL('watch-paints.js', import.meta.url));

/** Milliseconds without a request after which a page counts as loaded. */
const quietTime = 1000;

/** Milliseconds of a task that do not count as blocking. */
const unnoticed = 50;

/** Loads a page in a context with an empty cache, and closes the context. */
export async function loadPage(context: BrowserContext, url: string, pace: Pace): Promise<PageLoad> {
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  const requests = await watchRequests(protocol);
  if (pace === 'phone') {
    await protocol.send('Network.emulateNetworkConditions', slowNetwork);
    await protocol.send('Emulation.setCPUThrottlingRate', slowProcessor);
  }
  await page.addInitScript({ path: watchPaints });
  await page.goto(url, { waitUntil: 'load' });
  await requests.quiet();
  const watched = await page.evaluate<Watched>('watched');
  await context.close();
  const { firstPaint, largestPaint, ready, tasks, shift } = watched;
  const painted = Math.max(ready, largestPaint);
  const usable = tasks.reduce(
    (end, task) => (task.start < end ? Math.max(end, task.start + task.took) : end),
    painted,
  );
  const { ended } = requests;
  return {
    requests: ended.length,
    bytes: sum(ended.map(({ bytes }) => bytes)),
    bytesBeforeUsable: sum(ended.filter(({ at }) => at <= usable).map(({ bytes }) => bytes)),
    firstPaint,
    largestPaint,
    usable,
    blocked: sum(
      tasks.filter(({ start }) => start >= firstPaint).map(({ took }) => Math.max(0, took - unnoticed)),
    ),
    shift,
  };
}

/** Records finished requests: bytes with headers, and the time in milliseconds since the first request. */
async function watchRequests(protocol: CDPSession) {
  const ended: { readonly bytes: number; readonly at: number }[] = [];
  let start: number | undefined;
  let underWay = 0;
  let lastChange = performance.now();
  const change = (by: 1 | -1) => {
    underWay += by;
    lastChange = performance.now();
  };
  protocol.on('Network.requestWillBeSent', ({ timestamp, redirectResponse }) => {
    start ??= timestamp;
    if (!redirectResponse) change(1);
  });
  protocol.on('Network.loadingFailed', () => change(-1));
  protocol.on('Network.loadingFinished', ({ encodedDataLength, timestamp }) => {
    change(-1);
    ended.push({ bytes: encodedDataLength, at: (timestamp - (start ?? timestamp)) * 1000 });
  });
  await protocol.send('Network.enable');
  return {
    ended,
    /** Waits until there was no request for a while. */
    async quiet(): Promise<void> {
      while (underWay > 0 || performance.now() - lastChange < quietTime) await delay(quietTime / 10);
    },
  };
}

/** The measurements of `watch-paints.js`, in milliseconds of the clock of the page. */
interface Watched {
  readonly firstPaint: number;
  readonly largestPaint: number;
  /** The time of DOMContentLoaded, before which modules run. */
  readonly ready: number;
  readonly tasks: readonly { readonly start: number; readonly took: number }[];
  readonly shift: number;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
