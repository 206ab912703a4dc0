import type { Plan } from '../../../build/release/plans.ts';
import type { Clock } from '../../clock.ts';
import { calendarOf } from '../calendar.ts';
import { type Decision, decisionOf, quotaStanding, rateStanding } from '../decision.ts';
import type { Ask } from './link.ts';
import { monthAge, monthName, probeName, recentName } from './names.ts';
import { RedisAway } from './redis-away.ts';
import { RedisClock } from './redis-clock.ts';
import type { Script } from './scripts.ts';
import type { SeenTotals } from './seen-totals.ts';

/** Of the patience with Redis, what it has to decide in: the rest is for its answer to come. */
const decisionShare = 0.8;

/** What take.lua returns. */
type Reply = readonly [state: number, used: number, taken: number, leavesIn: number, time: number];

const [accepted, tooLate] = [1, -1];

/** Limits decided in Redis, for all replicas together, in one round trip a request. */
export class RedisLimits {
  readonly #ask: Ask;
  readonly #script: Script;
  readonly #seen: SeenTotals;
  readonly #clock: Clock;
  /** Microseconds. */
  readonly #decisionTime: number;
  readonly #redisClock = new RedisClock();

  /**
   * @param script take.lua
   * @param patience milliseconds that Redis has for an answer
   */
  constructor(ask: Ask, script: Script, seen: SeenTotals, clock: Clock, patience: number) {
    this.#ask = ask;
    this.#script = script;
    this.#seen = seen;
    this.#clock = clock;
    this.#decisionTime = Math.round(patience * 1000 * decisionShare);
  }

  /**
   * Sees whether Redis takes writes, teaches it the script, and learns what its clock shows.
   *
   * @param ask over a new connection
   */
  async greet(ask: Ask): Promise<void> {
    await Promise.all([ask(['SET', probeName, '', 'PX', '1000']), this.#script.load(ask)]);
    // Of a deadline long past, nothing comes but the time: no name is looked at, nor asked for rights.
    await this.#run(ask, [], () => [0, 0, '', 0, 0, 0]);
  }

  /** @throws RedisAway when Redis has not decided, and will not */
  async take(account: string, plan: Plan): Promise<Decision> {
    const now = this.#clock.now();
    const { day, month } = calendarOf(now);
    const names = [recentName(account), monthName(account, month)] as const;
    const argumentsOf = (deadline: number) => [
      plan.perSecond,
      plan.perMonth,
      day,
      this.#seen.of(names[1]),
      deadline,
      monthAge,
    ];
    let reply = await this.#run(this.#ask, names, argumentsOf);
    // Redis was slow, or its clock was set forward, which is known now.
    if (reply[0] === tooLate) reply = await this.#run(this.#ask, names, argumentsOf);
    const [state, used, taken, leavesIn] = reply;
    if (state === tooLate) throw new RedisAway('Redis decided too late');
    this.#seen.see(names[1], used);
    return decisionOf(
      state === accepted,
      rateStanding(plan, taken, leavesIn),
      quotaStanding(plan, used, now),
    );
  }

  async #run(
    ask: Ask,
    names: readonly string[],
    argumentsOf: (deadline: number) => readonly (string | number)[],
  ): Promise<Reply> {
    const sent = this.#clock.elapsed();
    const deadline = this.#redisClock.at(sent + this.#decisionTime);
    const reply = (await this.#script.run(ask, names, argumentsOf(deadline).map(String))) as Reply;
    this.#redisClock.learn(reply[4], sent, this.#clock.elapsed());
    return reply;
  }
}
