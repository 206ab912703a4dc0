/**
 * Measures commands with nothing to do, `--help`, and the time of `npm start` to its first 200: without a build, and in a
 * fresh clone. Rounds are interleaved with `node -e 0`, the lower bound of any command.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { repository } from '../gateway/started-process.ts';
import { inOrder, quantile } from './figures.ts';

const rounds = 11;
const clones = 3;
/** Milliseconds. */
const pollInterval = 10;
const timeLimit = 60_000;

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-start-up-'));
const settings = { DIST_DIR: join(folder, 'dist'), DATA_DIR: join(folder, 'data') };
const commands: Readonly<Record<string, readonly string[]>> = {
  'node -e 0': [process.execPath, '-e', '0'],
  'npm run -s build, nothing changed': ['npm', 'run', '-s', 'build'],
  'npm run -s validate, nothing changed': ['npm', 'run', '-s', 'validate'],
  'npm run -s build -- --help': ['npm', 'run', '-s', 'build', '--', '--help'],
  'npm run -s keys -- --help': ['npm', 'run', '-s', 'keys', '--', '--help'],
  'npm run -s test:long -- --help': ['npm', 'run', '-s', 'test:long', '--', '--help'],
};
const times = new Map(Object.keys(commands).map((name): [string, number[]] => [name, []]));
const starts = { warm: [] as number[], clone: [] as number[] };
try {
  for (const words of Object.values(commands)) await seconds(words);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, words] of Object.entries(commands)) times.get(name)?.push(await seconds(words));
    starts.warm.push(await firstResponse(repository));
    process.stderr.write(`Round ${round + 1} of ${rounds}\n`);
  }
  for (let round = 0; round < clones; round += 1) {
    const clone = join(folder, `clone-${round}`);
    execFileSync('git', ['clone', '--quiet', repository, clone]);
    execFileSync('npm', ['ci', '--silent'], { cwd: clone, stdio: 'ignore' });
    starts.clone.push(await firstResponse(clone));
    process.stderr.write(`Clone ${round + 1} of ${clones}\n`);
  }
} finally {
  await rm(folder, { recursive: true });
}

const base = quantile(inOrder(times.get('node -e 0') ?? []), 0.5);
console.log(`Node ${process.version}, ${availableParallelism()} cores, ${rounds} rounds; seconds\n`);
console.log('| | least | median | most | of node -e 0 |\n| --- | ---: | ---: | ---: | ---: |');
for (const [name, figures] of times) row(name, figures);
row('npm start to the first 200, nothing built', starts.warm);
row('npm start to the first 200, in a fresh clone', starts.clone);

function row(name: string, figures: readonly number[]): void {
  const sorted = inOrder(figures);
  const [least, median, most] = [0, 0.5, 1].map((share) => quantile(sorted, share));
  const cells = [least, median, most].map((figure) => figure?.toFixed(2));
  console.log(`| ${[name, ...cells, ((median ?? 0) / base).toFixed(1)].join(' | ')} |`);
}

async function seconds([command = '', ...args]: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(command, args, {
    cwd: repository,
    env: { ...process.env, ...settings },
    stdio: 'ignore',
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${status}`);
  return (performance.now() - start) / 1000;
}

/** The seconds from `npm start` to the first 200. @param cwd a checkout */
async function firstResponse(cwd: string): Promise<number> {
  const place = await mkdtemp(join(folder, 'start-'));
  const port = await freePort();
  const env = { PORT: String(port), DIST_DIR: join(place, 'dist'), DATA_DIR: join(place, 'data') };
  const start = performance.now();
  const npm = spawn('npm', ['start'], { cwd, env: { ...process.env, ...env }, stdio: 'ignore' });
  const ended = once(npm, 'close');
  try {
    while (!(await responds(`http://127.0.0.1:${port}/neet`))) {
      if (performance.now() - start > timeLimit) throw new Error(`no response within ${timeLimit} ms`);
      if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`);
      await delay(pollInterval);
    }
    return (performance.now() - start) / 1000;
  } finally {
    npm.kill('SIGTERM');
    await ended;
    await rm(place, { recursive: true });
  }
}

async function responds(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  );
}
