/**
 * How long `npm start` takes to its first 200, from nothing built and no data: the build, the start of the
 * gateway, its database and its first answer.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { environment, repository } from '../gateway/started-process.ts';

const rounds = 7;
/** Milliseconds. */
const pollInterval = 10;
const timeLimit = 30_000;

const times: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const time = await firstAnswer();
  times.push(time);
  console.log(`round ${round + 1} of ${rounds}: ${time.toFixed(0)} ms`);
}
times.sort((a, b) => a - b);
const [least, median, most] = [times[0], times[Math.floor(rounds / 2)], times.at(-1)].map((time) =>
  time?.toFixed(0),
);
console.log(`\nnpm start to the first 200, Node ${process.version}, ${availableParallelism()} cores:`);
console.log(`least ${least} ms, median ${median} ms, most ${most} ms`);

async function firstAnswer(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
  const port = await freePort();
  const settings = { PORT: String(port), DIST_DIR: join(folder, 'dist'), DATA_DIR: join(folder, 'data') };
  const start = performance.now();
  const npm = spawn('npm', ['start'], { cwd: repository, env: environment(settings), stdio: 'ignore' });
  const ended = once(npm, 'close');
  try {
    while (!(await answers(`http://127.0.0.1:${port}/neet`))) {
      if (performance.now() - start > timeLimit) throw new Error(`no answer within ${timeLimit} ms`);
      if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`);
      await delay(pollInterval);
    }
    return performance.now() - start;
  } finally {
    npm.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  );
}
