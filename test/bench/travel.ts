/**
 * Measures how a signed release with one changed question travels: the bytes that `releases push` and each of three
 * `releases pull --watch` transfer, and the seconds from the push until the gateway of each serves it. Argument: questions
 * of the bank. The store, the push, the pulls and the gateways share this machine.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeSigningKey } from '../build/release-folder.ts';
import { Scrape } from '../gateway/ops/scrape.ts';
import { startServer } from '../gateway/server-process.ts';
import { startPastpaper } from '../gateway/started-process.ts';
import { startS3 } from '../store/s3-server.ts';
import { bytesOf, conditions, median, rangeOf, table } from './figures.ts';
import { paperPath, writeLargeBank } from './generated.ts';
import { atEnd, runBench, runNode, stop } from './processes.ts';

const questions = Number(process.argv[2] ?? 100_000);
const gateways = 3;
const rounds = 5;

await runBench(async (folder) => {
  const [store, key] = [await startS3(), await makeSigningKey()];
  atEnd(() => store.close());
  const content = join(folder, 'content');
  const settings = {
    ...store.env,
    CONTENT_DIR: content,
    DIST_DIR: join(folder, 'dist'),
    DATA_DIR: join(folder, 'data'),
    SIGNING_KEY: key.privateFile,
  };
  const run = (...words: readonly string[]) => runNode(['build/pastpaper.js', ...words], settings);
  const push = async (): Promise<{
    readonly release: string;
    readonly files: number;
    readonly bytes: number;
  }> => JSON.parse((await run('releases', 'push', store.bucket, '--json')).output);

  /** Starts a pull into an empty folder, and a gateway of that folder. @returns the address of its metrics */
  const startGateway = async (number: number) => {
    const own = {
      DIST_DIR: join(folder, `dist-${number}`),
      DATA_DIR: join(folder, `data-${number}`),
    };
    const watch = ['pull', store.bucket, '--watch', '--public-key', key.publicFile];
    const puller = startPastpaper('releases', { ...store.env, ...own }, watch);
    atEnd(() => stop(puller.process));
    await puller.waitForOutput(/is current/);
    const gateway = await startServer('gateway', { ADMIN_PORT: '0', ...own });
    atEnd(() => stop(gateway.process));
    return gateway.adminOrigin;
  };

  const size = await writeLargeBank(content, questions);
  await run('build');
  const first = await push();
  console.log(
    `${size.questions} questions, ${gateways} gateways, ${conditions()}; the first push has ${first.files} files, ${bytesOf(first.bytes)}\n`,
  );
  const adminUrls = await Promise.all(
    Array.from({ length: gateways }, (_, number) => startGateway(number)),
  );
  const times: number[] = [];
  const rows: (string | number)[][] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const paper = join(content, paperPath(0));
    const text = await readFile(paper, 'utf8');
    await writeFile(paper, text.replace(/Case [\d.]+/, `Case ${round}.${round}`));
    await run('build');
    store.bytes = 0;
    const start = performance.now();
    const pushed = await push();
    await Promise.all(adminUrls.map((url) => serves(url, pushed.release)));
    const seconds = (performance.now() - start) / 1000;
    times.push(seconds);
    const each = (store.bytes - pushed.bytes) / gateways;
    const bytes = [pushed.bytes, each].map(bytesOf);
    rows.push([round, ...bytes, pushed.files, `${seconds.toFixed(1)} s`]);
  }
  console.log(
    table(['Change', 'Push', 'Each pull', 'Files', 'From the push to served everywhere'], rows),
  );
  console.log(`\nmedian ${median(times).toFixed(1)} s, ${rangeOf(times, 1)} s`);
});

async function serves(adminUrl: string, release: string): Promise<void> {
  const series = `pastpaper_release_info{release="${release}"}`;
  while ((await Scrape.of(adminUrl)).value(series) !== 1) await delay(50);
}
