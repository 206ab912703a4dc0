/**
 * Counts the instructions of a request by stage, for each kind of response, beside those of `node:http` with the same
 * checks by hand. Counts do not depend on the load of the machine. Callgrind sees no instructions of the kernel. Arguments:
 * kinds of responses.
 */
import { mkdtemp } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { sum } from '../figures.ts';
import { paperPath, writeQuestions } from '../generated.ts';
import { getThrough, type Target, targetOf } from '../load.ts';
import { has, runBench, type Server } from '../processes.ts';
import { startBenchGateway, startPeer } from '../servers.ts';
import { compiler, type FunctionCost, profile, underCallgrind } from './callgrind.ts';

const kinds = ['200', '304', '401', '403', '429'];
const measured = 1600;
/** Connections that send a request each, and the next ones when all have their response. */
const connections = 16;
/** Functions in the list of the most expensive ones. */
const listed = 25;

type Costs = readonly FunctionCost[];

async function measure(folder: string): Promise<void> {
  await writeQuestions(folder);
  console.log(`Instructions per request in user space, Node ${process.version}`);
  for (const kind of kinds.filter((each) => words.length === 0 || words.includes(each))) {
    const status = Number(kind);
    const dist = join(folder, 'dist');
    const setting = { folder, files: join(folder, 'files'), key: 'pfx_key' };
    const settings: Record<string, string> = status === 429 ? { PER_SECOND: '1' } : {};
    const keys = { roomyKey: setting.key, tightKey: setting.key };
    const [gateway, floor] = await Promise.all([
      costsOf(folder, async (run, node) => {
        const started = await startBenchGateway(run, dist, { node });
        return {
          ...started,
          target: await targetOf(status, `${started.origin}/${paperPath(0)}`, started),
        };
      }),
      costsOf(folder, async (_, node) => {
        const started = await startPeer('node.js', setting, { node, settings });
        return {
          ...started,
          target: await targetOf(status, `${started.origin}/${paperPath(0)}`, keys),
        };
      }),
    ]);
    print(kind, gateway, floor);
  }
}

async function costsOf(
  folder: string,
  start: (folder: string, node: readonly string[]) => Promise<Server & { readonly target: Target }>,
): Promise<Costs> {
  const run = await mkdtemp(join(folder, 'run-'));
  const server = await start(run, underCallgrind(run));
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const costs = await profile({ process: server.process, folder: run }, measured, (count) =>
    sendInLockstep(server.target, agent, count),
  );
  agent.destroy();
  return costs;
}

/** Sends requests so that a server does the same in every run. @param count a multiple of the connections */
async function sendInLockstep(target: Target, agent: Agent, count: number): Promise<void> {
  let others = 0;
  for (let sent = 0; sent < count; sent += connections) {
    const requests = Array.from({ length: connections }, () =>
      getThrough(agent, target.url, target.headers),
    );
    others += (await Promise.all(requests)).filter(({ status }) => status !== target.status).length;
  }
  if (others * 50 > count)
    throw new Error(`${others} of ${count} responses of ${target.url} are not ${target.status}`);
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

function print(kind: string, gateway: Costs, floor: Costs): void {
  const print = (name: string, ...cells: readonly string[]) =>
    console.log([name.slice(0, 60).padEnd(60), ...cells.map((cell) => cell.padStart(9))].join(' '));
  const row = (name: string, one = 0, other = 0) =>
    print(name, one.toFixed(0), other.toFixed(0), other > 0 ? (one / other).toFixed(2) : '');
  console.log();
  print(kind, 'gateway', 'node:http', 'ratio');
  const stageOf = (cost: FunctionCost) => stages.find(([, has]) => has(cost))?.[0] ?? '';
  const [own, others] = [sumBy(gateway, stageOf), sumBy(floor, stageOf)];
  for (const [name] of stages) row(name, own.get(name), others.get(name));
  row('all in user space', sum(own.values()), sum(others.values()));
  const label = (cost: FunctionCost) =>
    `  ${cost.name} (${cost.kind === 'builtin' ? 'builtin' : cost.file})`;
  const [functions, ofFloor] = [gateway, floor].map((costs) =>
    sumBy(
      costs.filter(({ kind }) => kind !== 'native'),
      label,
    ),
  );
  const mostFirst = [...(functions ?? [])].sort(([, one], [, other]) => other - one);
  for (const [name, count] of mostFirst.slice(0, listed)) row(name, count, ofFloor?.get(name));
}

/** @returns instructions per request */
function sumBy(costs: Costs, keyOf: (cost: FunctionCost) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const cost of costs)
    sums.set(keyOf(cost), (sums.get(keyOf(cost)) ?? 0) + cost.instructions / measured);
  return sums;
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 2;
}

const words = process.argv.slice(2);
const unknown = words.find((word) => !kinds.includes(word));
if (unknown !== undefined) fail(`Unknown kind "${unknown}". Kinds: ${kinds.join(', ')}.`);
else if (!has('valgrind')) fail('This benchmark needs valgrind (apt-get install valgrind).');
else await runBench(measure);
