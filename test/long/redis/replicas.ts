import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, realSystem } from '../../../gateway/clock.ts';
import { redisLocation } from '../../../gateway/config-values.ts';
import { calendarOf } from '../../../gateway/limits/decision.ts';
import { type OpenedRedis, openRedis } from '../../../gateway/limits/redis.ts';
import { waitUntil } from '../../wait-until.ts';

export const free = { perSecond: 2, perMonth: 1000 };
export const roomy = { perSecond: 1_000_000, perMonth: 1_000_000 };

/** A clock that stays within one month: it starts in the middle of one. */
const midMonth = Date.UTC(2026, 10, 15);
const clock: Clock = { now: () => midMonth + performance.now(), elapsed: realSystem.elapsed };
export const { month } = calendarOf(midMonth);

/** The limits of a gateway, without the gateway. */
export interface Replica extends OpenedRedis {
  readonly logged: string[];
}

/**
 * Opens limits, and waits until they are shared or the log says why not.
 *
 * @param timeout of a reply in milliseconds; the default is long, for tests in which Redis does not hang
 */
export async function openReplica(t: TestContext, url: string, timeout = 20_000): Promise<Replica> {
  const logged: string[] = [];
  const log = (message: string, error?: unknown) =>
    void logged.push(`${message} ${error ?? ''}`.trim());
  const opened = await openRedis({ location: redisLocation(url), timeout, clock, log });
  t.after(() => opened.close());
  // On a busy machine, connecting may time out. Any other error is the one that the test expects.
  const isSlow = () => logged.every((line) => line.includes('no reply within'));
  await waitUntil(() => opened.limits.isShared || !isSlow());
  if (opened.limits.isShared) logged.length = 0;
  return { ...opened, logged };
}

/** Opens the limits of three replicas. */
export async function open(t: TestContext, url: string, timeout?: number) {
  const [one, two, three] = [1, 2, 3].map(() => openReplica(t, url, timeout));
  return Promise.all([one, two, three] as [Promise<Replica>, Promise<Replica>, Promise<Replica>]);
}

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
  const decisions = await Promise.all(
    Array.from({ length: times }, () => limits.take(account, plan)),
  );
  return decisions.filter(({ accepted }) => accepted).length;
}

export const used = async ({ usage }: Replica, account: string) => usage.read(account, month);

/** Sends requests of one account to all replicas without a pause. */
export function startLoad(replicas: readonly Replica[], account: string, plan = free) {
  /** The accepted ones: milliseconds at which they were sent and decided. */
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
    /** Waits until this many more are accepted. */
    waitForAccepted(more: number): Promise<void> {
      const before = accepted.length;
      return waitUntil(() => accepted.length >= before + more);
    },
    /** Returns how many were accepted. */
    async stop(): Promise<number> {
      isOver = true;
      await Promise.all(clients);
      return accepted.length;
    },
  };
}
