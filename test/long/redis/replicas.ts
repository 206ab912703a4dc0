import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { calendarOf, systemClock } from '../../../gateway/clock.ts';
import { redisLocation } from '../../../gateway/config-values.ts';
import { type OpenedLimits, openSharedLimits } from '../../../gateway/limits/redis/shared-limits.ts';

export const free = { perSecond: 2, perMonth: 1000 };
export const roomy = { perSecond: 1_000_000, perMonth: 1_000_000 };
export const { month } = calendarOf(Date.now());

/** The limits of a gateway, without the gateway. */
export interface Replica extends OpenedLimits {
  readonly logged: string[];
}

export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(10);
}

/** @param timeout of a reply in milliseconds; the default is long, for tests in which Redis does not hang */
export async function openReplica(t: TestContext, url: string, timeout = 20_000): Promise<Replica> {
  const logged: string[] = [];
  const log = (message: string, error?: unknown) => void logged.push(`${message} ${error ?? ''}`.trim());
  const opened = await openSharedLimits({
    location: redisLocation(url),
    timeout,
    clock: systemClock,
    log,
  });
  t.after(() => opened.close().catch(() => {}));
  return { ...opened, logged };
}

export const open = (t: TestContext, url: string, replicas: number, timeout?: number) =>
  Promise.all(Array.from({ length: replicas }, () => openReplica(t, url, timeout)));

export const areShared = (replicas: readonly Replica[]) => () =>
  replicas.every(({ limits }) => limits.isShared);
export const areLocal = (replicas: readonly Replica[]) => () =>
  replicas.every(({ limits }) => !limits.isShared);

/** Sends this many requests at the same time. Returns how many are accepted. */
export async function take(
  { limits }: Replica,
  account: string,
  times: number,
  plan = roomy,
): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: times }, () => limits.take(account, plan)));
  return decisions.filter(({ accepted }) => accepted).length;
}

export const used = async ({ usage }: Replica, account: string) => usage.read(account, month);

/** Requests of one account, sent to all replicas without a pause. */
export interface Load {
  /** The accepted ones: milliseconds at which they were sent and decided. */
  readonly accepted: readonly { readonly sent: number; readonly received: number }[];
  /** Waits until this many more are accepted. */
  waitForAccepted(more: number): Promise<void>;
  /** Returns how many were accepted. */
  stop(): Promise<number>;
}

export function startLoad(replicas: readonly Replica[], account: string, plan = free): Load {
  const accepted: { readonly sent: number; readonly received: number }[] = [];
  let isOver = false;
  const clients = replicas.map(async ({ limits }) => {
    while (!isOver) {
      const sent = performance.now();
      const decision = await limits.take(account, plan);
      if (decision.accepted) accepted.push({ sent, received: performance.now() });
      await delay(1);
    }
  });
  return {
    accepted,
    async waitForAccepted(more) {
      const before = accepted.length;
      await waitUntil(() => accepted.length >= before + more);
    },
    async stop() {
      isOver = true;
      await Promise.all(clients);
      return accepted.length;
    },
  };
}

/** The most requests that were certainly decided within one second. */
export function acceptedWithinSecond({ accepted }: Load): number {
  const counts = accepted.map(
    ({ sent }) => accepted.filter((one) => one.sent >= sent && one.received < sent + 1000).length,
  );
  return Math.max(0, ...counts);
}
