import { setTimeout as delay } from 'node:timers/promises';
import type { ResourceUsage } from '../../../gateway/monitored-gateway.ts';
import { Finding } from '../finding.ts';
import { Random } from '../random.ts';
import { executePlan, type PlanResult } from './execute-plan.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';
import { makePlan } from './grammar/plans.ts';
import { plans as accountPlans, withNames } from './keys.ts';
import { isCounted, latePlan } from './late-plan.ts';
import { type Plan, packetsOf, requestsIn } from './plan.ts';
import { shrinkPlan } from './shrink-plan.ts';

/** Concurrent connections. */
const connections = 24;
/** The share of requests before the first measurement, which fill the caches of the gateway. */
const warmUp = 0.2;
/** The number of recent plans that are tried again when the gateway logs something. */
const maxRecentPlans = 200;

export interface HttpRun {
  readonly seed: string;
  readonly requests: number;
  /** The number of connections with an incomplete request, each of which takes 15 s to time out. */
  readonly late: number;
  readonly onProgress?: (requests: number) => void;
}

export interface HttpResult {
  readonly requests: number;
  readonly connections: number;
  /** The number of responses by status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly before: ResourceUsage;
  readonly after: ResourceUsage;
}

/**
 * Sends requests of every kind to the gateway, and compares each response with the specification.
 *
 * @throws Finding
 */
export async function fuzzHttp(underTest: GatewayUnderTest, run: HttpRun): Promise<HttpResult> {
  const fuzzer = new HttpFuzzer(underTest, run);
  await fuzzer.until(run.requests * warmUp);
  const before = await quiet(underTest);
  await Promise.all([fuzzer.until(run.requests), fuzzer.late(run.late)]);
  const after = await quiet(underTest);
  return { ...fuzzer.result(), before, after };
}

/**
 * Runs a single case.
 *
 * @throws Finding
 */
export async function fuzzHttpCase(underTest: GatewayUnderTest, seed: string, number: number): Promise<void> {
  await new HttpFuzzer(underTest, { seed, requests: 0, late: 0 }).one(number);
}

class HttpFuzzer {
  readonly #underTest: GatewayUnderTest;
  readonly #run: HttpRun;
  readonly #statuses = new Map<number, number>();
  /** The latest plans, by number. */
  readonly #recent = new Map<number, Plan>();
  #next = 0;
  #requests = 0;
  #counted = { sent: 0, accepted: 0 };
  #failed = false;

  constructor(underTest: GatewayUnderTest, run: HttpRun) {
    this.#underTest = underTest;
    this.#run = run;
  }

  async until(requests: number): Promise<void> {
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (this.#requests < requests && !this.#failed) {
          this.#next += 1;
          await this.one(this.#next);
          this.#run.onProgress?.(this.#requests);
        }
      }),
    );
  }

  async one(number: number): Promise<void> {
    const { context, gateway } = this.#underTest;
    const plan = makePlan(new Random(this.#run.seed, number), context);
    this.#remember(number, plan);
    this.#requests += requestsIn(plan);
    const played = await executePlan(plan, gateway.port, context);
    if (this.#failed) return;
    this.#count(plan, played);
    if (played.failure !== undefined && (!played.isLate || (await this.#again(plan))))
      await this.#fail(played.failure, number, plan);
    await this.#refuseComplaints();
  }

  async late(count: number): Promise<void> {
    const random = new Random(this.#run.seed, 'late');
    const all = Array.from({ length: count }, async () => {
      const plan = latePlan(random, this.#underTest.context);
      const { failure } = await executePlan(plan, this.#underTest.gateway.port, this.#underTest.context);
      if (failure !== undefined) await this.#fail(failure, undefined, plan);
    });
    await Promise.all(all);
  }

  result() {
    const { sent, accepted } = this.#counted;
    const quota = accountPlans.counted.perMonth;
    if (accepted !== Math.min(sent, quota))
      throw this.#finding(
        `Of ${sent} requests ${accepted} were accepted, by a quota of ${quota}`,
        undefined,
        '',
      );
    return { requests: this.#requests, connections: this.#next, statuses: this.#statuses };
  }

  #remember(number: number, plan: Plan): void {
    this.#recent.set(number, plan);
    const [oldest] = this.#recent.keys();
    if (oldest !== undefined && this.#recent.size > maxRecentPlans) this.#recent.delete(oldest);
  }

  #count({ sends }: Plan, { responses }: PlanResult): void {
    for (const { status } of responses) this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    const items = sends.flatMap((send) => send.items);
    for (const [index, { status }] of responses.entries()) {
      const { prediction } = items[index] ?? {};
      if (status === 400 || !prediction || !isCounted(prediction, this.#underTest.context)) continue;
      this.#counted.sent += 1;
      if (status !== 429) this.#counted.accepted += 1;
    }
  }

  /** Fails if the gateway has logged something or has ended, and finds the plan that caused it. */
  async #refuseComplaints(): Promise<void> {
    const { gateway } = this.#underTest;
    if (gateway.stderrLines.length === 0 && gateway.isRunning) return;
    this.#failed = true;
    const failure = gateway.isRunning
      ? gateway.stderrLines.join('\n')
      : `The gateway ended.\n${gateway.stderrLines.join('\n')}`;
    for (const [number, plan] of [...this.#recent].reverse()) {
      if (await this.#again(plan)) await this.#fail(failure, number, plan);
    }
    throw this.#finding(failure, undefined, 'None of the latest connections reproduces it by itself.');
  }

  /** Whether a plan fails again, in a gateway that has not logged anything. */
  async #again(plan: Plan): Promise<boolean> {
    const underTest = this.#underTest;
    if (underTest.gateway.stderrLines.length > 0 || !underTest.gateway.isRunning) await underTest.restart();
    const { failure } = await executePlan(plan, underTest.gateway.port, underTest.context);
    return failure !== undefined || underTest.gateway.stderrLines.length > 0 || !underTest.gateway.isRunning;
  }

  async #fail(failure: string, number: number | undefined, plan: Plan): Promise<never> {
    this.#failed = true;
    const { context } = this.#underTest;
    const least = await shrinkPlan(plan, context, (smaller) => this.#again(smaller));
    throw this.#finding(
      failure,
      number,
      inputOf(least, (text) => withNames(text, context.keys)),
    );
  }

  #finding(failure: string, number: number | undefined, input: string): Finding {
    return new Finding({ failure, what: 'http', seed: this.#run.seed, number, input });
  }
}

/** A plan in the format of the corpus. */
function inputOf({ sends, ending }: Plan, readable: (text: string) => string): string {
  const packets = sends.map((send) => packetsOf(send).map(readable));
  return JSON.stringify({ sends: packets, ending }, undefined, 2);
}

/** The vitals of the gateway after all connections have ended. */
async function quiet({ gateway }: GatewayUnderTest): Promise<ResourceUsage> {
  for (let tries = 0; ; tries += 1) {
    const resourceUsage = await gateway.resourceUsage();
    if ((resourceUsage.resources['TCPSocketWrap'] ?? 0) === 0 || tries === 50) return resourceUsage;
    await delay(100);
  }
}
