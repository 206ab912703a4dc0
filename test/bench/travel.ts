/**
 * Measures how a signed release with one changed question travels: the bytes that `releases push` and each of three
 * gateways transfer, and the seconds from the push until every gateway serves it. Argument: questions of the bank. The
 * store, the gateways and the push share this machine.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeSigningKey } from '../build/signing-key.ts';
import { freePort } from '../free-port.ts';
import { Scrape } from '../gateway/ops/scrape.ts';
import { runPastpaper, type StartedProcess, startPastpaper } from '../gateway/started-process.ts';
import { startScriptedStore } from '../store/scripted-store.ts';
import { inOrder, quantile } from './figures.ts';
import { writeLargeBank } from './large-bank.ts';

const questions = Number(process.argv[2] ?? 100_000);
const gateways = 3;
const rounds = 5;

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const [store, key] = [await startScriptedStore(), await makeSigningKey()];
const content = join(folder, 'content');
const settings = {
  ...store.env,
  CONTENT_DIR: content,
  DIST_DIR: join(folder, 'dist'),
  DATA_DIR: join(folder, 'data'),
  SIGNING_KEY: key.privateFile,
};
const paper = join(content, 'jeemain/2000/2000-01-01-s1/physics.json');
const started: StartedProcess[] = [];

/** Runs a command, which must succeed. @returns what it prints */
async function run(command: string, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runPastpaper(command, settings, args);
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
  return stdout;
}

async function push(): Promise<{ readonly release: string; readonly files: number; readonly bytes: number }> {
  return JSON.parse(await run('releases', 'push', store.bucket, '--json'));
}

/** Starts a gateway with an empty folder. @returns the address of its metrics */
async function startGateway(number: number): Promise<string> {
  const adminPort = String(await freePort());
  const gateway = startPastpaper('gateway', {
    NODE_ENV: 'production',
    WORKERS: '1',
    PORT: '0',
    ADMIN_PORT: adminPort,
    DIST_DIR: join(folder, `dist-${number}`),
    DATA_DIR: join(folder, `data-${number}`),
    RELEASE_SOURCE: store.url,
    RELEASE_PUBLIC_KEY: key.publicFile,
  });
  started.push(gateway);
  await gateway.waitForOutput(/ serves release /);
  return `http://127.0.0.1:${adminPort}`;
}

async function serves(adminUrl: string, release: string): Promise<void> {
  const series = `pastpaper_release_info{release="${release}"}`;
  while ((await Scrape.of(adminUrl)).value(series) !== 1) await delay(50);
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`;

try {
  const size = await writeLargeBank(content, questions);
  await run('build');
  const first = await push();
  console.log(
    `${size.questions} questions, ${gateways} gateways, Node ${process.version}, ${availableParallelism()} cores; the first push has ${first.files} files, ${(first.bytes / 1e6).toFixed(1)} MB\n`,
  );
  const adminUrls = await Promise.all(Array.from({ length: gateways }, (_, number) => startGateway(number)));
  const times: number[] = [];
  console.log('| Change | Push | Each gateway | Files | From the push to served everywhere |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (let round = 1; round <= rounds; round += 1) {
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
    console.log(
      `| ${round} | ${kilobytes(pushed.bytes)} | ${kilobytes(each)} | ${pushed.files} | ${seconds.toFixed(1)} s |`,
    );
  }
  const sorted = inOrder(times);
  console.log(`\nmedian ${quantile(sorted, 0.5).toFixed(1)} s, most ${quantile(sorted, 1).toFixed(1)} s`);
} finally {
  for (const { process: child } of started) child.kill('SIGTERM');
  await Promise.all(started.map(({ ended }) => ended));
  await store.close();
  await rm(folder, { recursive: true });
}
