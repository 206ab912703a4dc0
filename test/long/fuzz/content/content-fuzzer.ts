import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Finding } from '../finding.ts';
import { type Bank, sampleBanks } from './bank.ts';
import { emptyTally, makeCase, runCase, type Tally } from './cases.ts';
import { ContentTester, type Depth } from './content-tester.ts';
import { shrinkBank } from './shrink-bank.ts';
import type { WorkerMessage, WorkerTask } from './worker.ts';

/** Seconds after which a case counts as hanging. */
const hangSeconds = 120;
const second = 1000;

export interface ContentRun {
  readonly seed: string;
  readonly mutations: number;
  readonly onProgress: (mutations: number) => void;
}

/**
 * Tests mutations of the sample bank on all cores.
 *
 * @throws Finding
 */
export async function fuzzContent({ seed, mutations, onProgress }: ContentRun): Promise<Tally> {
  const workers = availableParallelism();
  let begun = 0;
  const onBegin = () => {
    begun += 1;
    onProgress(begun);
  };
  const ending = new AbortController();
  const tallies = await Promise.all(
    Array.from({ length: workers }, (_, worker) =>
      runWorker({ seed, first: worker + 1, last: mutations, step: workers }, onBegin, ending.signal),
    ),
  ).finally(() => ending.abort());
  return tallies.reduce(sumOf, { ...emptyTally });
}

/**
 * Tests a single case in this process.
 *
 * @throws Finding
 */
export async function fuzzContentCase(seed: string, number: number): Promise<void> {
  const banks = await sampleBanks();
  const { bank, depth } = makeCase(seed, number, banks);
  const failure = await withTester(async (tester) => runCase(tester, { bank, depth }, { ...emptyTally }));
  if (failure !== undefined) throw await createFinding(seed, number, failure);
}

/** Runs a worker process to its end. */
function runWorker(task: WorkerTask, onBegin: () => void, signal: AbortSignal): Promise<Tally> {
  const child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    signal,
    killSignal: 'SIGKILL',
  });
  let number = 0;
  let waited = 0;
  return new Promise<Tally>((resolve, reject) => {
    const report = (failure: string) => createFinding(task.seed, number, failure).then(reject, reject);
    // Counts seconds of this process, which do not pass while the machine is suspended.
    const watch = setInterval(() => {
      waited += 1;
      if (waited !== hangSeconds) return;
      child.kill('SIGKILL');
      reject(
        new Finding({ failure: 'It hangs.', what: 'content', seed: task.seed, number, input: notShrunk }),
      );
    }, second);
    child.on('message', (message: WorkerMessage) => {
      waited = 0;
      if (message.kind === 'begins') {
        number = message.number;
        onBegin();
      } else if (message.kind === 'failure') void report(message.failure);
      else resolve(message.tally);
    });
    child.on('error', reject);
    child.on('exit', (status, by) => {
      clearInterval(watch);
      if (status !== 0 && !signal.aborted)
        reject(
          new Finding({
            failure: `The process ends with ${status ?? by}.`,
            what: 'content',
            seed: task.seed,
            number,
            input: notShrunk,
          }),
        );
    });
    child.send(task);
  });
}

const notShrunk = 'Not reduced: the mutated bank of this case.';

/** Creates the finding of a failure, with the smallest bank that shows it. */
async function createFinding(seed: string, number: number, failure: string): Promise<Finding> {
  const { bank } = makeCase(seed, number, await sampleBanks());
  const input = await withTester(async (tester) => {
    const fails = (depth: Depth) => async (smaller: Bank) => {
      await tester.forget();
      const again = await tester.try(smaller, () => depth);
      return again.failure !== undefined && failureKind(again.failure) === failureKind(failure);
    };
    for (const depth of ['checks', 'build', 'commands'] as const)
      if (await fails(depth)(bank)) return inputOf(await shrinkBank(bank, fails(depth)));
    return `It passes by itself: it also needs what was published before.\n${inputOf(bank)}`;
  });
  return new Finding({ failure, what: 'content', seed, number, input });
}

/** The start of the message, which is the same for the same failure. */
function failureKind(failure: string): string {
  return failure.slice(0, 20);
}

/** A bank in the format of the corpus. */
function inputOf(bank: Bank): string {
  const files = [...bank].map(([path, bytes]) => {
    const text = bytes.toString();
    return [path, Buffer.from(text).equals(bytes) ? text : { base64: bytes.toString('base64') }];
  });
  return JSON.stringify(Object.fromEntries(files), undefined, 2);
}

async function withTester<Result>(use: (tester: ContentTester) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-fuzz-'));
  try {
    return await use(await ContentTester.in(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function sumOf(one: Tally, other: Tally): Tally {
  return {
    accepted: one.accepted + other.accepted,
    rejected: one.rejected + other.rejected,
    impossible: one.impossible + other.impossible,
    built: one.built + other.built,
    commanded: one.commanded + other.commanded,
  };
}
