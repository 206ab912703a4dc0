// @ts-check
/**
 * Preloaded into a process under test: reports what it holds when asked, and moves its wall clock when ordered to. The
 * process runs with `--expose-gc` and a channel to the one that started it. Plain JavaScript, so that the process needs
 * no compiler.
 */
import { readdirSync } from 'node:fs';

const realNow = Date.now;
/** Milliseconds that the wall clock is ahead. */
let ahead = 0;

function now() {
  return realNow() + ahead;
}

globalThis.Date = new Proxy(Date, {
  construct: (date, values, made) => Reflect.construct(date, values.length === 0 ? [now()] : values, made),
  get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
});

process.on('message', (/** @type {import('./watched-gateway.ts').Order} */ order) => {
  if (order.kind === 'clock') ahead = order.ahead;
  // What a collection frees may hold what the next one frees.
  else for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.();
  process.send?.(vitals());
});
// What is asked of it does not keep it alive.
process.channel?.unref();

/** @returns {import('./watched-gateway.ts').Vitals} */
function vitals() {
  const { rss, heapUsed, external } = process.memoryUsage();
  /** @type {Record<string, number>} */
  const resources = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  return {
    resident: rss,
    heap: heapUsed,
    external,
    // Of these, one lists the folder.
    descriptors: readdirSync('/dev/fd').length - 1,
    resources,
  };
}
