/**
 * `npm run bench -- pages`: measures size and load time of every page of the site, from a real gateway, in Chromium with
 * an empty cache, at full speed and throttled like Lighthouse's phone. Exits with 1 if a page loads more than 250 KB
 * before it is usable.
 */
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { openMailbox } from '../gateway/auth/users/mailbox.ts';
import { runGateway } from '../gateway/running-gateway.ts';
import { skip, startBrowser } from '../long/browser/browser.ts';
import { fillSampleAccount } from '../long/browser/sample-account.ts';
import { manifestOf, pageBudget, pagesOf } from '../long/site/pages.ts';
import { loadPage, type Pace, type PageLoad } from './page-load.ts';
import { overBudget, type PageLoads, pageTable } from './page-table.ts';

const rounds = Number(process.argv[2] ?? 5);

if (skip) console.log(`The pages are not measured: ${skip}.`);
else await measure();

async function measure(): Promise<void> {
  const mailbox = await openMailbox();
  const running = await runGateway({ SMTP_URL: mailbox.url }, 'embedded');
  const browser = await startBrowser();
  try {
    const session = await fillSampleAccount(running, mailbox);
    const manifest = await manifestOf(join(running.config.distDir, 'current'));
    const load = async (path: string, pace: Pace) =>
      loadPage(await browser.newContext({ storageState: session }), `${running.baseUrl}${path}`, pace);
    const pages: PageLoads[] = [];
    for (const page of pagesOf(manifest)) {
      const path = `/${page}/`;
      // The first load warms up the gateway and Chromium.
      await load(path, 'machine');
      const [machine, phone]: [PageLoad[], PageLoad[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        machine.push(await load(path, 'machine'));
        phone.push(await load(path, 'phone'));
      }
      pages.push({ path, machine, phone });
    }
    console.log(
      `Medians of ${rounds} loads of each page, with an empty cache. The second of two values is that of a processor 4 times slower\n` +
        `on 1.6 Mbit/s with 150 ms. Chromium ${browser.version()}, Node ${process.version}, ` +
        `${availableParallelism()} cores (${cpus()[0]?.model}).\n\n${pageTable(pages)}`,
    );
    const heavy = overBudget(pages, pageBudget);
    if (heavy.length === 0) return;
    console.error(
      `\n${heavy.join(', ')} loads more than ${pageBudget / 1000} KB before it is usable: look at what it loads.`,
    );
    process.exitCode = 1;
  } finally {
    await browser.close();
    await running.close();
    await mailbox.close();
  }
}
