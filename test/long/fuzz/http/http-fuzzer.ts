import { setTimeout as delay } from 'node:timers/promises';
import type { ResourceUsage } from '../../../gateway/monitored-gateway.ts';
import { Finding } from '../finding.ts';
import { Random } from '../random.ts';
import { deadline, executePlan, type PlanResult } from './execute-plan.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';
import { makePlan } from './grammar/plans.ts';
import { plans as accountPlans, withNames } from './keys.ts';
import type { ModelContext, Prediction } from './model.ts';
import { type Plan, packetsOf, requestsIn } from './plan.ts';
import { valuesOf } from './request.ts';
import { shrinkPlan } from './shrink-plan.ts';

/** Concurrent connections. */
const connections = 24;
/** The share of requests before the first measurement, which fill the caches of the gateway. */
const warmUp = 0.2;
/** Connections that clients keep open, beside the concurrent ones. */
const maxOpen = 100;
/** Bytes by which memory may grow after the first measurement: buffers of parsers and sockets, and the heap's free space. */
const maxGrowth = { used: 24 * 1024 * 1024, resident: 96 * 1024 * 1024 };
/** The number of recent plans that are tried again when the gateway logs something. */
const maxRecentPlans = 200;

export interface HttpRun {
  readonly seed: string;
  readonly requests: number;
  readonly onProgress?: (requests: number) => void;
}

export interface HttpResult {
  readonly requests: number;
  readonly connections: number;
  /** Connections that clients kept open until the gateway closed them. */
  readonly open: number;
  /** The number of responses by status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly before: ResourceUsage;
  readonly after: ResourceUsage;
}

/**
 * Sends requests of every kind to the gateway, and compares each response with the specification. Then no connection is left
 * in the gateway, and it uses no more memory and descriptors than before.
 *
 * @throws Finding
 */
export async function fuzzHttp(underTest: GatewayUnderTest, run: HttpRun): Promise<HttpResult> {
  const fuzzer = new HttpFuzzer(underTest, run);
  await fuzzer.until(run.requests * warmUp);
  const before = await fuzzer.resourceUsage();
  await fuzzer.until(run.requests);
  const after = await fuzzer.resourceUsage();
  fuzzer.compare(before, after);
  return { ...fuzzer.result(), before, after };
}

/**
 * Runs a single case.
 *
 * @throws Finding
 */
export async function fuzzHttpCase(underTest: GatewayUnderTest, seed: string, number: number): Promise<void> {
  await new HttpFuzzer(underTest, { seed, requests: 0 }).one(number);
}

class HttpFuzzer {
  readonly #underTest: GatewayUnderTest;
  readonly #run: HttpRun;
  readonly #statuses = new Map<number, number>();
  /** The latest plans, by number. */
  readonly #recent = new Map<number, Plan>();
  /** Plans with an open end that run, and results of such plans: the client's side is still open. */
  readonly #open = new Set<Promise<void>>();
  readonly #unclosed: PlanResult[] = [];
  #next = 0;
  #requests = 0;
  #opened = 0;
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
          const plan = this.#plan(this.#next);
          const run = this.#execute(this.#next, plan);
          await (plan.ending === 'open' ? this.#keepOpen(run) : run);
          this.#run.onProgress?.(this.#requests);
        }
      }),
    );
    await Promise.all(this.#open);
  }

  async one(number: number): Promise<void> {
    await this.#execute(number, this.#plan(number));
  }

  #plan(number: number): Plan {
    return makePlan(new Random(this.#run.seed, number), this.#underTest.context);
  }

  /** Returns while a plan runs, unless too many do. */
  async #keepOpen(run: Promise<void>): Promise<void> {
    this.#opened += 1;
    this.#open.add(run);
    // A failure stays in the set, and is thrown by whoever waits for it.
    run.then(
      () => this.#open.delete(run),
      () => {},
    );
    if (this.#open.size >= maxOpen) await Promise.race(this.#open);
  }

  async #execute(number: number, plan: Plan): Promise<void> {
    const { context, gateway } = this.#underTest;
    this.#remember(number, plan);
    this.#requests += requestsIn(plan);
    const played = await executePlan(plan, gateway.port, context);
    this.#unclosed.push(played);
    if (this.#unclosed.length > maxOpen) this.#unclosed.shift()?.close();
    if (this.#failed) return;
    this.#count(plan, played);
    if (played.failure !== undefined && (!played.isLate || (await this.#again(plan))))
      await this.#fail(played.failure, number, plan);
    await this.#refuseComplaints();
  }

  /**
   * The resource usage of the gateway without connections. It must have closed those whose clients keep their side open.
   *
   * @throws Finding
   */
  async resourceUsage(): Promise<ResourceUsage> {
    const end = performance.now() + deadline;
    for (;;) {
      const usage = await this.#underTest.gateway.resourceUsage();
      const open = usage.resources['TCPSocketWrap'] ?? 0;
      if (open > 0 && performance.now() < end) {
        await delay(100);
        continue;
      }
      for (const { close } of this.#unclosed.splice(0)) close();
      if (open === 0) return usage;
      throw this.#finding(`${open} connections stay open`, undefined, '');
    }
  }

  /** @throws Finding if the gateway uses more than before */
  compare(before: ResourceUsage, after: ResourceUsage): void {
    const used = after.heap + after.external - before.heap - before.external;
    const grown = [
      ...(after.descriptors > before.descriptors + 2
        ? [`${after.descriptors - before.descriptors} descriptors`]
        : []),
      ...(used > maxGrowth.used ? [`${used} bytes of memory`] : []),
      ...(after.resident > before.resident + maxGrowth.resident
        ? [`${after.resident - before.resident} bytes of resident memory`]
        : []),
    ];
    if (grown.length > 0)
      throw this.#finding(`The gateway uses ${grown.join(', ')} more than before`, undefined, '');
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
    return {
      requests: this.#requests,
      connections: this.#next,
      open: this.#opened,
      statuses: this.#statuses,
    };
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
    const { failure, close } = await executePlan(plan, underTest.gateway.port, underTest.context);
    close();
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
function inputOf({ sends, ...end }: Plan, readable: (text: string) => string): string {
  const packets = sends.map((send) => packetsOf(send).map(readable));
  return JSON.stringify({ sends: packets, ...end }, undefined, 2);
}

/** Whether a request counts towards the quota of the `counted` key. */
function isCounted({ request, mayBeLimited }: Prediction, { keys }: ModelContext): boolean {
  return mayBeLimited && valuesOf(request, 'authorization').includes(`Bearer ${keys.counted}`);
}
