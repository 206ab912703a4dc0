/**
 * Preloaded into a process under test: tells what it holds when it is asked, and moves its wall clock when it is told.
 * The process runs with `--expose-gc` and a channel to the one that started it.
 */
import { readdirSync } from 'node:fs';

/** What a process holds, after a full collection. */
export interface Vitals {
  /** Bytes. */
  readonly resident: number;
  readonly heap: number;
  /** Bytes of buffers outside the heap. */
  readonly external: number;
  /** Open file descriptors, sockets included. */
  readonly descriptors: number;
  /** What keeps the event loop going, by kind: `TCPSocketWrap`, `Timeout`. */
  readonly resources: Readonly<Record<string, number>>;
}

export type Order = { readonly kind: 'vitals' } | { readonly kind: 'clock'; readonly ahead: number };

const realNow = Date.now;
/** Milliseconds that the wall clock is ahead. */
let ahead = 0;

function now(): number {
  return realNow() + ahead;
}

globalThis.Date = new Proxy(Date, {
  construct: (date, values, made) => Reflect.construct(date, values.length === 0 ? [now()] : values, made),
  get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
});

process.on('message', (order: Order) => {
  if (order.kind === 'clock') ahead = order.ahead;
  // What a collection frees may hold what the next one frees.
  else for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.();
  process.send?.(vitals());
});
// What is asked of it does not keep it alive.
process.channel?.unref();

function vitals(): Vitals {
  const { rss, heapUsed, external } = process.memoryUsage();
  const resources: Record<string, number> = {};
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
