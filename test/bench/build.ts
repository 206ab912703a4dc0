/**
 * Measures `npm run build`: with an empty cache, without changes, and with one changed question; compared with a lower
 * bound (build-floor.ts) and with Eleventy, which writes the same papers as JSON without validation. Arguments: sizes of
 * the bank, in questions.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readCurrent } from '../../build/release/read.ts';
import { findDamage } from '../../build/release/verify.ts';
import { resourcesOf } from '../build/release-folder.ts';
import { repository } from '../gateway/started-process.ts';
import { bytesOf, conditions, mebibytes, median, seconds, table } from './figures.ts';
import { buildBank, changeOneQuestion, writeLargeBank } from './generated.ts';
import { peerFile, type Run, runBench, runNode } from './processes.ts';

const titles = {
  floor: 'floor: one thread, the papers only',
  eleventy: 'Eleventy: the papers only',
  cold: 'build, empty cache',
  uncompressed: 'the same, without compression',
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
  const { runs, responses, files } = await measureAll(folder, content, questions > 200_000 ? 3 : 5);
  const time = (kind: Kind) => median(runs[kind].map((run) => run.seconds));
  const rows = Object.entries(titles).map(([name, title]) => {
    const kind = name as Kind;
    const written = kind === 'floor' || kind === 'eleventy' ? size.papers : responses;
    return [
      title,
      seconds(time(kind)),
      ...(['floor', 'eleventy', 'cold'] as const).map((other) =>
        (time(kind) / time(other)).toFixed(3),
      ),
      (written / time(kind)).toFixed(0),
      mebibytes(Math.max(...runs[kind].map((run) => run.memory))),
    ];
  });
  const head = [
    '',
    'median',
    'of the floor',
    'of Eleventy',
    'of a cold build',
    'responses/s',
    'peak memory',
  ];
  console.log(`
${size.questions} questions in ${size.files} files, ${bytesOf(size.bytes)}, ${responses} responses in ${files} files; ${conditions()}

${table(head, rows)}

A cold build takes ${((1e6 * time('cold')) / size.questions).toFixed(1)} µs a question.`);
  await rm(content, { recursive: true });
}

/** Measures all kinds in each round, so that other load on the machine affects all of them. */
async function measureAll(folder: string, content: string, rounds: number) {
  const eleventy = await peerFile('@11ty/eleventy/cmd.cjs');
  const empty = join(folder, 'empty');
  await mkdir(empty, { recursive: true });
  // Eleventy resolves the path of its settings from its working directory, and reads all files there.
  const config = relative(empty, join(repository, 'test/bench/peers/eleventy.config.js'));
  const runs: Record<Kind, Run[]> = {
    ...{ floor: [], eleventy: [], cold: [] },
    ...{ uncompressed: [], unchanged: [], oneChanged: [] },
  };
  let dist = '';
  for (let round = 1; round <= rounds; round += 1) {
    // Nothing is removed between rounds: on ext4, removals slow down the next writes.
    const inRound = (name: string) => `${content}-${round}-${name}`;
    dist = inRound('dist');
    const build = () => buildBank(content, dist, inRound('data'));
    const floor = ['--import', 'tsx', 'test/bench/build-floor.ts', content, inRound('floor')];
    runs.floor.push(await runNode(floor));
    const options = [`--config=${config}`, '--input=.', `--output=${inRound('eleventy')}`];
    runs.eleventy.push(await runNode([eleventy, ...options], { CONTENT_DIR: content }, empty));
    const cold = await build();
    runs.cold.push(cold);
    runs.uncompressed.push({ ...cold, seconds: cold.seconds - compressionTime(cold) });
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

/** The seconds of compression that a build reports. */
function compressionTime({ output }: Run): number {
  const seconds = /compress ([\d.]+)/.exec(output)?.[1];
  if (seconds === undefined)
    throw new Error(`The build does not report its compression time: ${output}`);
  return Number(seconds);
}
