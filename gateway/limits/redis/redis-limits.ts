import type { Plan } from '../../../build/release/plans.ts';
import { type Clock, calendarOf } from '../../clock.ts';
import { type Decision, decisionOf, microsecondsOf, quotaState, rateState } from '../decision.ts';
import { RedisUnavailable } from '../store.ts';
import type { Ask } from './client.ts';
import type { LastTotals } from './redis-usage.ts';
import { monthAge, monthName, probeName, recentName, type Script } from './scripts.ts';

/** The share of the timeout within which Redis must decide; the rest is for the reply to arrive. */
const decisionShare = 0.8;

/** What take.lua returns. */
type Reply = readonly [state: number, used: number, taken: number, leavesIn: number, time: number];

const accepted = 1;
const tooLate = -1;

/**
 * Limits decided in Redis, for all replicas together, in one round trip per request.
 *
 * @param script take.lua
 * @param timeout milliseconds that Redis has to reply
 */
export function redisLimits(
  ask: Ask,
  script: Script,
  totals: LastTotals,
  clock: Clock,
  timeout: number,
) {
  /** Microseconds. */
  const decisionTime = Math.round(timeout * 1000 * decisionShare);
  const redisClock = new RedisClock();

  async function run(
    ask: Ask,
    names: readonly [string, ...string[]],
    argumentsOf: (deadline: number) => readonly (string | number)[],
  ): Promise<Reply> {
    const sent = microsecondsOf(clock);
    const deadline = redisClock.at(sent + decisionTime);
    const reply = (await script.run(ask, names, argumentsOf(deadline).map(String))) as Reply;
    redisClock.update(reply[4], sent, microsecondsOf(clock));
    return reply;
  }

  return {
    /**
     * Finds out whether Redis accepts writes, loads the script, and reads Redis's clock.
     *
     * @param ask over a new connection
     * @param tag a hash tag whose keys the primary serves
     */
    async greet(ask: Ask, tag: string): Promise<void> {
      const probe = probeName(tag);
      await ask(probe, ['SET', probe, '', 'PX', '1000']);
      // With a deadline in the past the script returns the time alone.
      await run(ask, [probe], () => [0, 0, '', 0, 0, 0, '']);
    },

    /** @throws RedisUnavailable when Redis has not decided, and will not */
    async take(account: string, plan: Plan, key: string): Promise<Decision> {
      const now = clock.now();
      const { day, month } = calendarOf(now);
      const { perSecond, perMonth } = plan;
      const monthKey = monthName(account, month);
      const names: [string, string] = [recentName(account), monthKey];
      const argumentsOf = (deadline: number) => {
        const seen = totals.get(monthKey) ?? 0;
        return [perSecond, perMonth, day, seen, deadline, monthAge, key];
      };
      let reply = await run(ask, names, argumentsOf);
      // Redis was slow, or its clock was set forward: the first reply has told its time.
      if (reply[0] === tooLate) reply = await run(ask, names, argumentsOf);
      const [state, used, taken, leavesIn] = reply;
      if (state === tooLate) throw new RedisUnavailable('Redis replied too late');
      totals.set(monthKey, used);
      return decisionOf(
        state === accepted,
        rateState(plan, taken, leavesIn),
        quotaState(plan, used, now),
      );
    },
  };
}

export type RedisLimits = ReturnType<typeof redisLimits>;

/**
 * Estimates Redis's clock from its replies: how far it is ahead of one here that never goes back. Commands carry a
 * deadline on Redis's clock, so that one that was delayed is not counted when nobody waits for it any more.
 */
export class RedisClock {
  /** Microseconds; a lower bound, from the reply that took the least time. */
  #ahead = Number.NEGATIVE_INFINITY;

  /**
   * @param time on Redis's clock when it replied; whole microseconds like the others
   * @param sent when the command was sent, on the clock here
   * @param received when its reply arrived
   */
  update(time: number, sent: number, received: number): void {
    // Redis replied between `sent` and `received`. An estimate above that range means that its clock was set back.
    this.#ahead = Math.min(Math.max(this.#ahead, time - received), time - sent);
  }

  /** What Redis's clock shows when the one here shows `moment`, or a little less. */
  at(moment: number): number {
    return this.#ahead + moment;
  }
}
