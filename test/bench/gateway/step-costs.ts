/**
 * Counts the instructions of a request by stage, for each kind of response, beside those of `node:http` with the same
 * checks by hand. Counts do not depend on the load of the machine. Callgrind sees no instructions of the kernel: of those
 * there are the system calls that were made, and the time as measured without callgrind.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processorTime } from '../processor-time.ts';
import { compiler, type FunctionCost, type Profile, profile, underCallgrind } from './callgrind.ts';
import { questionPath, writeQuestions } from './generated-papers.ts';
import type { Target } from './load.ts';
import { openLockstep } from './lockstep.ts';
import { has, stop } from './pinned.ts';
import { startBenchGateway } from './running-bench-gateway.ts';
import { startServer } from './stacks.ts';

const kinds = ['200', '304', '401', '403', '429'] as const;
type Kind = (typeof kinds)[number];

const measured = 1600;
/** Requests without callgrind: the system measures in hundredths of a second. */
const timed = 16_000;

/** Functions in the list of the most expensive ones. */
const listed = 25;

interface Running {
  readonly process: ChildProcess;
  readonly target: Target;
}

interface Costs extends Profile {
  /** Microseconds of a request in the kernel, and in all. */
  readonly kernelTime: number;
  readonly time: number;
}

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));

async function main(words: readonly string[]): Promise<void> {
  const unknown = words.find((word) => !kinds.some((kind) => kind === word));
  if (unknown !== undefined) return fail(`Unknown kind "${unknown}". Kinds: ${kinds.join(', ')}.`);
  if (!has('valgrind')) return fail('This benchmark needs valgrind (apt-get install valgrind).');
  await writeQuestions(folder);
  console.log(`Instructions per request in user space, Node ${process.version}`);
  for (const kind of kinds.filter((each) => words.length === 0 || words.includes(each))) {
    const [gateway, floor] = await Promise.all([
      costsOf((run, node) => startGateway(kind, run, node)),
      costsOf((_run, node) => startFloor(kind, node)),
    ]);
    print(kind, gateway, floor);
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 2;
}

async function costsOf(start: (folder: string, node: readonly string[]) => Promise<Running>): Promise<Costs> {
  const run = await mkdtemp(join(folder, 'run-'));
  const times = await timesOf(await start(run, [process.execPath]));
  const { process: child, target } = await start(run, underCallgrind(run));
  const clients = await openLockstep(target);
  const counted = await profile({ process: child, folder: run }, measured, (count) => clients.send(count));
  clients.close();
  return { ...counted, ...times };
}

/** Measures a server without callgrind, and stops it. */
async function timesOf({ process: child, target }: Running): Promise<Pick<Costs, 'kernelTime' | 'time'>> {
  const clients = await openLockstep(target);
  await clients.send(timed);
  const before = processorTime(child.pid);
  await clients.send(timed);
  const after = processorTime(child.pid);
  clients.close();
  await stop(child);
  const [user, kernel] = [after.user - before.user, after.kernel - before.kernel];
  return { kernelTime: kernel / timed, time: (user + kernel) / timed };
}

async function startGateway(kind: Kind, run: string, node: readonly string[]): Promise<Running> {
  await rm(join(run, 'data'), { recursive: true, force: true });
  const gateway = await startBenchGateway(run, join(folder, 'dist'), {}, node);
  const key = kind === '429' ? gateway.tightKey : gateway.roomyKey;
  return { process: gateway.process, target: await targetOf(kind, gateway.origin, key) };
}

async function startFloor(kind: Kind, node: readonly string[]): Promise<Running> {
  const setting = { folder, files: join(folder, 'files'), key: 'pfx_key', node };
  const { child, origin } = await startServer('node.js', setting, kind === '429' ? { PER_SECOND: '1' } : {});
  return { process: child, target: await targetOf(kind, origin, setting.key) };
}

async function targetOf(kind: Kind, origin: string, key: string): Promise<Target> {
  const url = `${origin}/${questionPath}`;
  const authorization = { '401': 'Basic eDp5', '403': 'Bearer unknown' }[kind as string] ?? `Bearer ${key}`;
  const headers = { 'Accept-Encoding': 'gzip', Authorization: authorization };
  if (kind !== '304') return { url, headers, status: Number(kind) };
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return { url, headers: { ...headers, 'If-None-Match': response.headers.get('etag') ?? '' }, status: 304 };
}

const express =
  /node_modules\/(express|router|finalhandler|path-to-regexp|parseurl|encodeurl|on-finished|depd|statuses|fresh|etag|vary|proxy-addr|forwarded|ipaddr\.js|setprototypeof|merge-descriptors)\//;
const collector =
  /Scaveng|Mark(ing|Compact)|Sweep|Evacuat|GarbageColl|GCTracer|::(Heap|LocalHeap|GlobalHandles|NewSpace|PagedSpace\w*|SemiSpace\w*|FreeList\w*|MemoryAllocator|Page|MemoryChunk|RootVisitor|WeakCallback\w*|StringTable|ExternalStringTable|ArrayBufferSweeper)::|IterateObjectCache|IterateBody/;
/** The stages of a request, in the order of the table. */
const stages: readonly (readonly [name: string, has: (cost: FunctionCost) => boolean])[] = [
  ['Express', ({ file }) => express.test(file)],
  ['express-rate-limit', ({ file }) => file.includes('node_modules/express-rate-limit/')],
  ['other packages', ({ file, kind }) => kind === 'JavaScript' && file.includes('node_modules/')],
  ["Node's JavaScript", ({ file, kind }) => kind === 'JavaScript' && file.startsWith('node:')],
  ['own functions', ({ kind }) => kind === 'JavaScript'],
  ['V8 builtins', ({ kind }) => kind === 'builtin'],
  ['V8 compiler', ({ name }) => compiler.test(name)],
  ['garbage collection', ({ name }) => collector.test(name)],
  ["V8's C++", ({ name }) => name.startsWith('v8::')],
  ["Node's C++, libuv, OpenSSL", ({ file }) => file.endsWith('/node')],
  ['libraries of the system', () => true],
];

function stageOf(cost: FunctionCost): string {
  return stages.find(([, has]) => has(cost))?.[0] ?? '';
}

function print(kind: Kind, gateway: Costs, floor: Costs): void {
  console.log(
    `\n${kind.padEnd(60)} ${'gateway'.padStart(9)} ${'node:http'.padStart(9)} ${'ratio'.padStart(6)}`,
  );
  const row = (name: string, one: number, other: number, digits = 0) =>
    console.log(
      `${name.slice(0, 60).padEnd(60)} ${one.toFixed(digits).padStart(9)} ${other.toFixed(digits).padStart(9)} ${other > 0 ? (one / other).toFixed(2).padStart(6) : ''}`,
    );
  const sums = [gateway, floor].map(({ functions }) => sumBy(functions, stageOf));
  for (const [name] of stages) row(name, sums[0]?.get(name) ?? 0, sums[1]?.get(name) ?? 0);
  const [all, allOfFloor] = sums.map((sum) => [...sum.values()].reduce((total, each) => total + each, 0));
  row('all in user space', all ?? 0, allOfFloor ?? 0);
  for (const [name, calls] of gateway.systemCalls) {
    if (calls * 100 > measured)
      row(`system call ${name}`, calls / measured, (floor.systemCalls.get(name) ?? 0) / measured, 2);
  }
  row('kernel, µs without callgrind', gateway.kernelTime, floor.kernelTime, 1);
  row('all, µs without callgrind', gateway.time, floor.time, 1);
  const label = (cost: FunctionCost) => `  ${cost.name} (${cost.kind === 'builtin' ? 'builtin' : cost.file})`;
  const [own, others] = [gateway, floor].map(({ functions }) =>
    sumBy(
      functions.filter(({ kind }) => kind !== 'native'),
      label,
    ),
  );
  for (const [name, count] of [...(own ?? [])].sort(([, one], [, other]) => other - one).slice(0, listed))
    row(name, count, others?.get(name) ?? 0);
}

/** @returns instructions per request */
function sumBy(functions: readonly FunctionCost[], keyOf: (cost: FunctionCost) => string) {
  const sums = new Map<string, number>();
  for (const cost of functions)
    sums.set(keyOf(cost), (sums.get(keyOf(cost)) ?? 0) + cost.instructions / measured);
  return sums;
}

try {
  await main(process.argv.slice(2));
} finally {
  await rm(folder, { recursive: true });
}
