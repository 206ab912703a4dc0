/**
 * `npm run bench -- pages`: measures size and load time of every page of the site, from a real gateway, in Chromium with
 * an empty cache, at full speed and throttled like Lighthouse's phone. Argument: rounds.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, CDPSession } from 'playwright-core';
import { readCurrent } from '../../build/release/read.ts';
import { openMailbox } from '../gateway/accounts/users/mailbox.ts';
import { runGateway } from '../gateway/running-gateway.ts';
import { skip, startBrowser } from '../long/browser/browser.ts';
import { fillSampleAccount } from '../long/browser/sample-account.ts';
import { pagesOf } from '../long/site/pages.ts';
import { conditions, median, sum, table } from './figures.ts';
import { atEnd, runBench } from './processes.ts';

/** The measurements of one page load: bytes on the wire, milliseconds from the request. */
type PageLoad = Awaited<ReturnType<typeof loadPage>>;

/** Whether a page is loaded at full speed or like on a phone. */
type Pace = 'machine' | 'phone';

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
/** Milliseconds without a request after which a page counts as loaded. */
const quietTime = 1000;
/** Milliseconds of a task that do not count as blocking. */
const unnoticed = 50;
const watchPaints = fileURLToPath(new URL('watch-paints.js', import.meta.url));

const rounds = Number(process.argv[2] ?? 5);
const head = [
  ...[
    'Page',
    'Requests',
    'KB in all',
    'KB before usable',
    'First paint, s',
    'Largest paint, s',
    'Usable, s',
  ],
  ...['Blocked, ms', 'Layout shift'],
];

if (skip) console.log(`The pages are not measured: ${skip}.`);
else await runBench(measure);

async function measure(): Promise<void> {
  const mailbox = await openMailbox();
  atEnd(() => mailbox.close());
  const running = await runGateway({ SMTP_URL: mailbox.url }, 'in-real-time');
  atEnd(() => running.close());
  const browser = await startBrowser();
  atEnd(() => browser.close());
  const session = await fillSampleAccount(running, mailbox);
  const load = async (path: string, pace: Pace) =>
    loadPage(
      await browser.newContext({ storageState: session }),
      `${running.baseUrl}${path}`,
      pace,
    );
  const rows: string[][] = [];
  for (const page of pagesOf(await readCurrent(running.config.distDir))) {
    const path = `/${page}/`;
    // The first load warms up the gateway and Chromium.
    await load(path, 'machine');
    const loads: Record<Pace, PageLoad[]> = { machine: [], phone: [] };
    for (let round = 0; round < rounds; round += 1)
      for (const pace of ['machine', 'phone'] as const) loads[pace].push(await load(path, pace));
    const [machine, phone] = [medianLoad(loads.machine), medianLoad(loads.phone)];
    rows.push(rowOf(path, machine, phone));
  }
  console.log(`Medians of ${rounds} loads of each page, with an empty cache. The second of two values is that of a processor 4 times slower
on 1.6 Mbit/s with 150 ms. Chromium ${browser.version()}, ${conditions()}.

${table(head, rows)}`);
}

/** Loads a page in a context with an empty cache, and closes the context. */
async function loadPage(context: BrowserContext, url: string, pace: Pace) {
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
  const { firstPaint, largestPaint, ready, tasks, shift } = await page.evaluate<Watched>('watched');
  await context.close();
  const usable = tasks.reduce(
    (end, task) => (task.start < end ? Math.max(end, task.start + task.took) : end),
    Math.max(ready, largestPaint),
  );
  const { ended } = requests;
  const blocking = tasks.filter(({ start }) => start >= firstPaint);
  return {
    requests: ended.length,
    bytes: sum(ended.map(({ bytes }) => bytes)),
    /** The bytes of requests that ended before the page was usable. */
    bytesBeforeUsable: sum(ended.filter(({ at }) => at <= usable).map(({ bytes }) => bytes)),
    firstPaint,
    largestPaint,
    /** When the document is parsed, its module has run, its largest part is painted, and no long task is running. */
    usable,
    /** The time of long tasks beyond 50 ms each, after the first paint. */
    blocked: sum(blocking.map(({ took }) => Math.max(0, took - unnoticed))),
    /** The sum of all layout shifts: no less than Cumulative Layout Shift. */
    shift,
  };
}

/** Records finished requests: bytes with headers, and the time in milliseconds since the first request. */
async function watchRequests(protocol: CDPSession) {
  const ended: { readonly bytes: number; readonly at: number }[] = [];
  let start: number | undefined;
  let pending = 0;
  let lastChange = performance.now();
  const change = (by: 1 | -1) => {
    pending += by;
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
      while (pending > 0 || performance.now() - lastChange < quietTime) await delay(quietTime / 10);
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

/** The median of each figure. */
function medianLoad(loads: readonly PageLoad[]): PageLoad {
  const [first] = loads;
  const names = Object.keys(first ?? {}) as (keyof PageLoad)[];
  const figures = names.map((name) => [name, median(loads.map((load) => load[name]))]);
  return Object.fromEntries(figures) as Record<keyof PageLoad, number>;
}

function rowOf(path: string, machine: PageLoad, phone: PageLoad): string[] {
  const both = (name: keyof PageLoad, unit: number, digits: number) =>
    [machine, phone].map((load) => (load[name] / unit).toFixed(digits)).join(' / ');
  return [
    `\`${path}\``,
    machine.requests.toFixed(0),
    (machine.bytes / 1000).toFixed(1),
    both('bytesBeforeUsable', 1000, 1),
    both('firstPaint', 1000, 2),
    both('largestPaint', 1000, 2),
    both('usable', 1000, 2),
    both('blocked', 1, 0),
    both('shift', 1, 3),
  ];
}
