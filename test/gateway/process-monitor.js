// @ts-check
/**
 * Preloaded into a process under test: on command, reports its resource usage or sets its wall clock. The process runs
 * with `--expose-gc` and an IPC channel to its parent. Plain JavaScript, so that the process needs no compiler.
 */
import cluster from 'node:cluster';
import { readdirSync } from 'node:fs';

const realNow = Date.now;
/** Milliseconds by which the wall clock is ahead. */
let ahead = 0;

function now() {
  return realNow() + ahead;
}

globalThis.Date = new Proxy(Date, {
  construct: (date, values, made) =>
    Reflect.construct(date, values.length === 0 ? [now()] : values, made),
  get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
});

process.on('message', (/** @type {import('./server-process.ts').MonitorCommand} */ command) => {
  if (command.kind !== 'clock' && command.kind !== 'resources') return;
  if (command.kind === 'clock') ahead = command.ahead;
  // Finalizers of one collection may release more objects for the next one.
  else for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.();
  process.send?.(resourceUsage());
});
// The channel does not keep the process alive; but that of a worker, which inherits this module, is to its primary process.
if (cluster.isPrimary) process.channel?.unref();

/** @returns {import('./server-process.ts').ResourceUsage} */
function resourceUsage() {
  const { rss, heapUsed, external } = process.memoryUsage();
  /** @type {Record<string, number>} */
  const resources = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  return {
    resident: rss,
    heap: heapUsed,
    external,
    // One of them is open to list the folder.
    descriptors: readdirSync('/dev/fd').length - 1,
    resources,
  };
}
