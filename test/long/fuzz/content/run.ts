import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Finding } from '../finding.ts';
import { type Bank, sampleBanks } from './bank.ts';
import { makeCase, noneTried, type Tally, tryCase } from './cases.ts';
import { smallestBank } from './shrink.ts';
import { type Depth, Trial } from './trial.ts';
import type { WorkNews, WorkOrder } from './worker.ts';

/** Seconds after which a case that is not done counts as one that hangs. */
const patience = 120;
const second = 1000;

export interface ContentRun {
  readonly seed: string;
  readonly mutations: number;
  readonly onProgress: (mutations: number) => void;
}

/**
 * Mutates the sample bank, and holds each bank that comes out against checks and build, on all cores.
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
      work({ seed, first: worker + 1, last: mutations, step: workers }, onBegin, ending.signal),
    ),
  ).finally(() => ending.abort());
  return tallies.reduce(sumOf, { ...noneTried });
}

/**
 * Tries one case by itself, in this process.
 *
 * @throws Finding
 */
export async function fuzzContentCase(seed: string, number: number): Promise<void> {
  const banks = await sampleBanks();
  const { bank, depth } = makeCase(seed, number, banks);
  const fault = await inTrial(async (trial) => tryCase(trial, { bank, depth }, { ...noneTried }));
  if (fault !== undefined) throw await findingOf(seed, number, fault);
}

/** One worker, to its end. */
function work(order: WorkOrder, onBegin: () => void, signal: AbortSignal): Promise<Tally> {
  const child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    signal,
    killSignal: 'SIGKILL',
  });
  let number = 0;
  let waited = 0;
  return new Promise<Tally>((resolve, reject) => {
    const told = (fault: string) => findingOf(order.seed, number, fault).then(reject, reject);
    // Counted here, so that a machine that holds up both processes counts for nothing.
    const watch = setInterval(() => {
      waited += 1;
      if (waited !== patience) return;
      child.kill('SIGKILL');
      reject(new Finding({ fault: 'It hangs.', what: 'content', seed: order.seed, number, input: unshrunk }));
    }, second);
    child.on('message', (news: WorkNews) => {
      waited = 0;
      if (news.kind === 'begins') {
        number = news.number;
        onBegin();
      } else if (news.kind === 'fault') void told(news.fault);
      else resolve(news.tally);
    });
    child.on('error', reject);
    child.on('exit', (status, by) => {
      clearInterval(watch);
      if (status !== 0 && !signal.aborted)
        reject(
          new Finding({
            fault: `The process ends with ${status ?? by}.`,
            what: 'content',
            seed: order.seed,
            number,
            input: unshrunk,
          }),
        );
    });
    child.send(order);
  });
}

const unshrunk = 'No smaller one is known than what the case makes of the sample bank.';

/** Puts what went wrong into words, with the smallest bank that shows it. */
async function findingOf(seed: string, number: number, fault: string): Promise<Finding> {
  const { bank } = makeCase(seed, number, await sampleBanks());
  const input = await inTrial(async (trial) => {
    const goesWrong = (depth: Depth) => async (smaller: Bank) => {
      await trial.forget();
      const again = await trial.try(smaller, () => depth);
      return again.fault !== undefined && kindOf(again.fault) === kindOf(fault);
    };
    for (const depth of ['checks', 'build', 'commands'] as const)
      if (await goesWrong(depth)(bank)) return inputOf(await smallestBank(bank, goesWrong(depth)));
    return `By itself it goes well: it takes what was published before.\n${inputOf(bank)}`;
  });
  return new Finding({ fault, what: 'content', seed, number, input });
}

/** What faults that are the same begin with. */
function kindOf(fault: string): string {
  return fault.slice(0, 20);
}

/** A bank in the form of the corpus. */
function inputOf(bank: Bank): string {
  const files = [...bank].map(([path, bytes]) => {
    const text = bytes.toString();
    return [path, Buffer.from(text).equals(bytes) ? text : { base64: bytes.toString('base64') }];
  });
  return JSON.stringify(Object.fromEntries(files), undefined, 2);
}

async function inTrial<Result>(use: (trial: Trial) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-fuzz-'));
  try {
    return await use(await Trial.in(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function sumOf(one: Tally, other: Tally): Tally {
  return {
    accepted: one.accepted + other.accepted,
    refused: one.refused + other.refused,
    impossible: one.impossible + other.impossible,
    built: one.built + other.built,
    commanded: one.commanded + other.commanded,
  };
}
