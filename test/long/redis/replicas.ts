import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, calendarOf, systemClock } from '../../../gateway/clock.ts';
import { readConfig } from '../../../gateway/config.ts';
import { redisLocation } from '../../../gateway/config-values.ts';
import {
  type OpenedLimits,
  openSharedLimits,
} from '../../../gateway/limits/redis/shared-limits.ts';
import { runChecks } from '../../../gateway/ops/doctor/main.ts';
import { redis } from '../../../gateway/ops/doctor/redis.ts';
import { waitUntil } from '../../wait-until.ts';

export const free = { perSecond: 2, perMonth: 1000 };
export const roomy = { perSecond: 1_000_000, perMonth: 1_000_000 };

/** A clock that stays within one month: it starts in the middle of one. */
const midMonth = Date.UTC(2026, 10, 15);
const clock: Clock = { now: () => midMonth + performance.now(), elapsed: systemClock.elapsed };
export const { month } = calendarOf(midMonth);

/** The limits of a gateway, without the gateway. */
export interface Replica extends OpenedLimits {
  readonly logged: string[];
}

/**
 * Opens limits, and waits until they are shared or the log says why not.
 *
 * @param timeout of a reply in milliseconds; the default is long, for tests in which Redis does not hang
 * @param isHanging whether Redis accepts connections and does not reply
 */
export async function openReplica(
  t: TestContext,
  url: string,
  timeout = 20_000,
  isHanging = false,
): Promise<Replica> {
  const logged: string[] = [];
  const log = (message: string, error?: unknown) =>
    void logged.push(`${message} ${error ?? ''}`.trim());
  const opened = await openSharedLimits({ location: redisLocation(url), timeout, clock, log });
  t.after(() => opened.close().catch(() => {}));
  // On a busy machine, connecting may time out. Any other error is the one that the test expects.
  const isSlow = () => logged.every((line) => line.includes('no connection within'));
  if (!isHanging) await waitUntil(() => opened.limits.isShared || !isSlow());
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

/**
 * Spends a part of an account's quota on two of three replicas. In an outage, each accepts what was left when it last
 * saw the account; after it, none accepts more.
 */
export async function startSpending(
  replicas: readonly [Replica, Replica, Replica],
  account: string,
) {
  const [one, two] = replicas;
  const plan = { perSecond: 1_000_000, perMonth: 100 };
  const takeOnAll = (times: number) =>
    Promise.all(replicas.map((each) => take(each, account, times, plan)));
  await take(one, account, 30, plan);
  await take(two, account, 30, plan);
  return {
    async duringOutage() {
      await waitUntil(areLocal(replicas));
      // The third has never seen the account.
      assert.deepEqual(await takeOnAll(300), [70, 40, 100]);
    },
    async afterOutage() {
      await waitUntil(areShared(replicas));
      assert.deepEqual(await takeOnAll(10), [0, 0, 0]);
      assert.equal(await used(one, account), 60 + 210);
    },
  };
}

/** Asserts a count: requests that are pending when a connection breaks may be lost, or counted twice. */
export function assertUsed(counted: number, accepted: number, lost: number, twice: number): void {
  assert.ok(counted >= accepted - lost && counted <= accepted + twice, `${counted} of ${accepted}`);
}

/** Milliseconds for a check: long, so that only one that hangs fails. */
const patience = 600_000;

/** The findings of doctor on a Redis, a line each: state and message. */
export async function findingsOf(url: string): Promise<readonly string[]> {
  for (;;) {
    const findings = await runChecks(
      [redis],
      readConfig({ REDIS_URL: url }, assert.fail),
      patience,
    );
    // On a busy machine, connecting may time out.
    if (findings.every(({ message }) => !message.includes('Connection timeout')))
      return findings.map(({ state, message }) => `${state}: ${message}`);
  }
}

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

/** The most requests that were certainly decided within one second. */
export function acceptedWithinSecond({ accepted }: ReturnType<typeof startLoad>): number {
  const counts = accepted.map(
    ({ sent }) => accepted.filter((one) => one.sent >= sent && one.received < sent + 1000).length,
  );
  return Math.max(0, ...counts);
}
