/**
 * Measures `npm run build`: with an empty cache, without changes, and with one changed question; compared with a lower
 * bound (build-floor.ts) and with Eleventy, which writes the same papers as JSON without validation. Arguments: sizes of
 * the bank, in questions.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { storedVariants } from '../../build/release/manifest.ts';
import { readVerifiedManifest } from '../../build/release/verify.ts';
import { repository } from '../gateway/started-process.ts';
import { inOrder, quantile } from './figures.ts';
import { changeOneQuestion, writeLargeBank } from './large-bank.ts';
import { peerFile } from './peers.ts';
import { type Run, runNode } from './run-node.ts';

type Kind = 'floor' | 'eleventy' | 'cold' | 'uncompressed' | 'unchanged' | 'oneChanged';

const titles: Readonly<Record<Kind, string>> = {
  floor: 'floor: one thread, the papers only',
  eleventy: 'Eleventy: the papers only',
  cold: 'build, empty cache',
  uncompressed: 'the same, without compression',
  unchanged: 'build, nothing changed',
  oneChanged: 'build, one question changed',
};

const words = process.argv.slice(2).map(Number);
const sizes = words.length > 0 ? words : [10_000, 100_000];
/** Fewer rounds for large banks, where one takes minutes. */
const roundsOf = (questions: number) => (questions > 200_000 ? 3 : 5);

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
try {
  for (const size of sizes) await measure(size);
} finally {
  await rm(folder, { recursive: true });
}

async function measure(questions: number): Promise<void> {
  const content = join(folder, 'bank');
  const size = await writeLargeBank(content, questions);
  const outputs = await measureAll(content, size.questions);
  console.log(
    `\n${size.questions} questions in ${size.files} files, ${(size.bytes / 1e6).toFixed(0)} MB, ${outputs.responses} responses in ${outputs.files} files; Node ${process.version}, ${availableParallelism()} cores\n`,
  );
  console.log('| | median | of the floor | of Eleventy | of a cold build | responses/s | peak memory |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
  const [floor, peer, cold] = [outputs.runs.floor, outputs.runs.eleventy, outputs.runs.cold].map(secondsOf);
  for (const [name, runs] of Object.entries(outputs.runs)) {
    const seconds = secondsOf(runs);
    const responses = name === 'floor' || name === 'eleventy' ? size.files - 1 : outputs.responses;
    const shares = [floor, peer, cold].map((other) => (seconds / (other ?? 0)).toFixed(3));
    const memory = Math.max(...runs.map((run) => run.memory)) / 2 ** 20;
    console.log(
      `| ${titles[name as Kind]} | ${seconds.toFixed(2)} s | ${shares.join(' | ')} | ${(responses / seconds).toFixed(0)} | ${memory.toFixed(0)} MiB |`,
    );
  }
  console.log(`\nA cold build takes ${((1e6 * (cold ?? 0)) / size.questions).toFixed(1)} µs a question.`);
  await rm(content, { recursive: true });
}

/** Measures all kinds in each round, so that other load on the machine affects all of them. */
async function measureAll(content: string, questions: number) {
  const eleventy = await peerFile('@11ty/eleventy/cmd.cjs');
  const empty = inFolder('empty');
  await mkdir(empty, { recursive: true });
  // Eleventy resolves the path of its settings from its working directory, and reads all files there.
  const config = relative(empty, join(repository, 'test/bench/peers/eleventy.config.js'));
  const runs: Record<Kind, Run[]> = {
    floor: [],
    eleventy: [],
    cold: [],
    uncompressed: [],
    unchanged: [],
    oneChanged: [],
  };
  let dist = '';
  for (let round = 1; round <= roundsOf(questions); round += 1) {
    // Nothing is removed between rounds: on ext4, removals slow down the next writes.
    const inRound = (name: string) => inFolder(`${questions}-${round}-${name}`);
    dist = inRound('dist');
    const settings = { CONTENT_DIR: content, DIST_DIR: dist, DATA_DIR: inRound('data') };
    const build = () => runNode(['build/pastpaper.js', 'build'], settings);
    runs.floor.push(
      await runNode(['--import', 'tsx', 'test/bench/build-floor.ts', content, inRound('floor')]),
    );
    const output = `--output=${inRound('eleventy')}`;
    runs.eleventy.push(await runNode([eleventy, `--config=${config}`, '--input=.', output], settings, empty));
    const cold = await build();
    runs.cold.push(cold);
    runs.uncompressed.push({ ...cold, seconds: cold.seconds - compressionTime(cold) });
    runs.unchanged.push(await build());
    await changeOneQuestion(content, round);
    runs.oneChanged.push(await build());
    const last = Object.entries(runs).map(([name, all]) => `${name} ${all.at(-1)?.seconds.toFixed(2)} s`);
    console.log(`round ${round} of ${roundsOf(questions)}: ${last.join(', ')}`);
  }
  const manifest = await readVerifiedManifest(join(dist, 'current'));
  const responses = [manifest.public, manifest.protected].flatMap(Object.keys).length;
  return { runs, responses, files: [...storedVariants(manifest)].length };
}

/** The seconds of compression that a build reports. */
function compressionTime({ output }: Run): number {
  const seconds = /compress ([\d.]+)/.exec(output)?.[1];
  if (seconds === undefined) throw new Error(`The build does not report its compression time: ${output}`);
  return Number(seconds);
}

function inFolder(name: string): string {
  return join(folder, name);
}

function secondsOf(runs: readonly Run[]): number {
  return quantile(inOrder(runs.map(({ seconds }) => seconds)), 0.5);
}
