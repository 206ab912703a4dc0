/**
 * Measures commands with nothing to do, `--help`, and the time of `npm start` to its first 200: without a build, and in a
 * fresh clone. Rounds are interleaved with `node -e 0`, the lower bound of any command. Argument: rounds.
 */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { repository, startCommand } from '../gateway/started-process.ts';
import { conditions, median, quantile, table } from './figures.ts';
import { run, runBench, waitForServer } from './processes.ts';

const rounds = Number(process.argv[2] ?? 11);
const clones = Math.min(3, rounds);

const commands = {
  'node -e 0': [process.execPath, '-e', '0'],
  'npm run -s build, nothing changed': ['npm', 'run', '-s', 'build'],
  'npm run -s validate, nothing changed': ['npm', 'run', '-s', 'validate'],
  'npm run -s build -- --help': ['npm', 'run', '-s', 'build', '--', '--help'],
  'npm run -s keys -- --help': ['npm', 'run', '-s', 'keys', '--', '--help'],
  'npm run -s test:long -- --help': ['npm', 'run', '-s', 'test:long', '--', '--help'],
};
const starts = {
  built: 'npm start to the first 200, nothing built',
  cloned: 'npm start to the first 200, in a fresh clone',
};

await runBench(async (folder) => {
  const settings = { DIST_DIR: join(folder, 'dist'), DATA_DIR: join(folder, 'data') };
  const times = Object.fromEntries(
    [...Object.keys(commands), ...Object.values(starts)].map((name): [string, number[]] => [
      name,
      [],
    ]),
  );
  for (const words of Object.values(commands)) await run(words, settings);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, words] of Object.entries(commands))
      times[name]?.push((await run(words, settings)).seconds);
    times[starts.built]?.push(await firstResponse(folder, repository));
    process.stderr.write(`Round ${round + 1} of ${rounds}\n`);
  }
  for (let round = 0; round < clones; round += 1) {
    const clone = join(folder, `clone-${round}`);
    await run(['git', 'clone', '--quiet', repository, clone]);
    await run(['npm', 'ci', '--silent'], {}, clone);
    times[starts.cloned]?.push(await firstResponse(folder, clone));
    process.stderr.write(`Clone ${round + 1} of ${clones}\n`);
  }
  const base = median(times['node -e 0'] ?? []);
  const rows = Object.entries(times).map(([name, figures]) => [
    name,
    ...[0, 0.5, 1].map((share) => quantile(figures, share).toFixed(2)),
    (median(figures) / base).toFixed(1),
  ]);
  console.log(`${conditions()}, ${rounds} rounds; seconds\n`);
  console.log(table(['', 'least', 'median', 'most', 'of node -e 0'], rows));
});

/** The seconds from `npm start` to the first 200. @param cwd a checkout */
async function firstResponse(folder: string, cwd: string): Promise<number> {
  const place = await mkdtemp(join(folder, 'start-'));
  const port = await freePort();
  const settings = {
    PORT: String(port),
    DIST_DIR: join(place, 'dist'),
    DATA_DIR: join(place, 'data'),
  };
  const start = performance.now();
  const npm = startCommand('npm', ['start'], settings, cwd);
  try {
    const failed = npm.ended.then(({ stderr }) =>
      Promise.reject(new Error(`npm start ended: ${stderr}`)),
    );
    await Promise.race([
      waitForServer(`http://127.0.0.1:${port}/neet`, (status) => status === 200),
      failed,
    ]);
    return (performance.now() - start) / 1000;
  } finally {
    npm.process.kill('SIGTERM');
    await npm.ended;
  }
}
