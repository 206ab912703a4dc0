/**
 * Measures `npm run build`: with an empty cache, without changes, and with one changed question; compared with a lower
 * bound (build-floor.ts). Arguments: sizes of the bank, in questions.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readCurrent } from '../../build/release/read.ts';
import { findDamage } from '../../build/release/verify.ts';
import { resourcesOf } from '../build/release-folder.ts';
import { bytesOf, conditions, mebibytes, median, seconds, table } from './figures.ts';
import { buildBank, changeOneQuestion, writeLargeBank } from './generated.ts';
import { type Run, runBench, runNode } from './processes.ts';

const titles = {
  floor: 'floor: one thread, the papers only',
  cold: 'build, empty cache',
  unchanged: 'build, nothing changed',
  oneChanged: 'build, one question changed',
};
type Kind = keyof typeof titles;

const words = process.argv.slice(2).map(Number);

await runBench(async (folder) => {
  for (const questions of words.length > 0 ? words : [10_000, 100_000])
    await measure(folder, questions);
});

async function measure(folder: string, questions: number): Promise<void> {
  const content = join(folder, `bank-${questions}`);
  const size = await writeLargeBank(content, questions);
  // Fewer rounds for large banks, where one takes minutes.
  const { runs, responses, files } = await measureAll(content, questions > 200_000 ? 3 : 5);
  const time = (kind: Kind) => median(runs[kind].map((run) => run.seconds));
  const rows = Object.entries(titles).map(([name, title]) => {
    const kind = name as Kind;
    return [
      title,
      seconds(time(kind)),
      (time(kind) / time('floor')).toFixed(3),
      (time(kind) / time('cold')).toFixed(3),
      mebibytes(Math.max(...runs[kind].map((run) => run.memory))),
    ];
  });
  console.log(`
${size.questions} questions in ${size.files} files, ${bytesOf(size.bytes)}, ${responses} responses in ${files} files; ${conditions()}

${table(['', 'median', 'of the floor', 'of a cold build', 'peak memory'], rows)}`);
  await rm(content, { recursive: true });
}

/** Measures all kinds in each round, so that other load on the machine affects all of them. */
async function measureAll(content: string, rounds: number) {
  const runs: Record<Kind, Run[]> = { floor: [], cold: [], unchanged: [], oneChanged: [] };
  let dist = '';
  for (let round = 1; round <= rounds; round += 1) {
    // Nothing is removed between rounds: on ext4, removals slow down the next writes.
    const inRound = (name: string) => `${content}-${round}-${name}`;
    dist = inRound('dist');
    const build = () => buildBank(content, dist, inRound('data'));
    const floor = ['--import', 'tsx', 'test/bench/build-floor.ts', content, inRound('floor')];
    runs.floor.push(await runNode(floor));
    runs.cold.push(await build());
    runs.unchanged.push(await build());
    await changeOneQuestion(content, round);
    runs.oneChanged.push(await build());
    const last = Object.entries(runs).map(
      ([name, all]) => `${name} ${seconds(all.at(-1)?.seconds)}`,
    );
    console.log(`round ${round} of ${rounds}: ${last.join(', ')}`);
  }
  const { files, problems } = await findDamage(await readCurrent(dist));
  if (problems.length > 0) throw new Error(problems[0]);
  return { runs, responses: (await resourcesOf(dist)).size, files };
}
