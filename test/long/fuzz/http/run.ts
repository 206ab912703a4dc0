import { setTimeout as delay } from 'node:timers/promises';
import type { ResourceUsage } from '../../../gateway/monitored-gateway.ts';
import { Finding } from '../finding.ts';
import { Random } from '../random.ts';
import { makePlan } from './grammar/plans.ts';
import { plans as accountPlans, withNames } from './keys.ts';
import { isCounted, latePlan } from './kinds.ts';
import { type Plan, packetsOf, requestsIn } from './plan.ts';
import { type Played, play } from './play.ts';
import { smallestPlan } from './shrink.ts';
import type { Subject } from './subject.ts';

/** Connections at a time. */
const connections = 24;
/** Of the requests, the share after which it is measured what the gateway holds: its caches are full by then. */
const warmUp = 0.2;
/** Plans that may be to blame when the gateway says something on its own. */
const mostSuspects = 200;

export interface HttpRun {
  readonly seed: string;
  readonly requests: number;
  /** Connections on which a request never ends, for each of which it takes 15 s until that is said. */
  readonly late: number;
  readonly onProgress?: (requests: number) => void;
}

export interface HttpResult {
  readonly requests: number;
  readonly connections: number;
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly before: ResourceUsage;
  readonly after: ResourceUsage;
}

/**
 * Sends requests of every kind to the gateway, and holds each answer against the specification.
 *
 * @throws Finding
 */
export async function fuzzHttp(subject: Subject, run: HttpRun): Promise<HttpResult> {
  const fuzzing = new Fuzzing(subject, run);
  await fuzzing.until(run.requests * warmUp);
  const before = await quiet(subject);
  await Promise.all([fuzzing.until(run.requests), fuzzing.late(run.late)]);
  const after = await quiet(subject);
  return { ...fuzzing.result(), before, after };
}

/**
 * Plays one case by itself.
 *
 * @throws Finding
 */
export async function fuzzHttpCase(subject: Subject, seed: string, number: number): Promise<void> {
  await new Fuzzing(subject, { seed, requests: 0, late: 0 }).one(number);
}

class Fuzzing {
  readonly #subject: Subject;
  readonly #run: HttpRun;
  readonly #statuses = new Map<number, number>();
  /** The last ones, by number. */
  readonly #recent = new Map<number, Plan>();
  #next = 0;
  #requests = 0;
  #counted = { sent: 0, accepted: 0 };
  #failed = false;

  constructor(subject: Subject, run: HttpRun) {
    this.#subject = subject;
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
    const { known, gateway } = this.#subject;
    const plan = makePlan(new Random(this.#run.seed, number), known);
    this.#remember(number, plan);
    this.#requests += requestsIn(plan);
    const played = await play(plan, gateway.port, known);
    if (this.#failed) return;
    this.#count(plan, played);
    if (played.fault !== undefined && (!played.isLate || (await this.#again(plan))))
      await this.#fail(played.fault, number, plan);
    await this.#refuseComplaints();
  }

  async late(count: number): Promise<void> {
    const random = new Random(this.#run.seed, 'late');
    const all = Array.from({ length: count }, async () => {
      const plan = latePlan(random, this.#subject.known);
      const { fault } = await play(plan, this.#subject.gateway.port, this.#subject.known);
      if (fault !== undefined) await this.#fail(fault, undefined, plan);
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
    if (oldest !== undefined && this.#recent.size > mostSuspects) this.#recent.delete(oldest);
  }

  #count({ sends }: Plan, { answers }: Played): void {
    for (const { status } of answers) this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    const items = sends.flatMap((send) => send.items);
    for (const [index, { status }] of answers.entries()) {
      const { prediction } = items[index] ?? {};
      if (status === 400 || !prediction || !isCounted(prediction, this.#subject.known)) continue;
      this.#counted.sent += 1;
      if (status !== 429) this.#counted.accepted += 1;
    }
  }

  /** What the gateway says of its own, or that it has ended: whichever plan made it do so is found by trying. */
  async #refuseComplaints(): Promise<void> {
    const { gateway } = this.#subject;
    if (gateway.stderrLines.length === 0 && gateway.isRunning) return;
    this.#failed = true;
    const fault = gateway.isRunning
      ? gateway.stderrLines.join('\n')
      : `The gateway ended.\n${gateway.stderrLines.join('\n')}`;
    for (const [number, plan] of [...this.#recent].reverse()) {
      if (await this.#again(plan)) await this.#fail(fault, number, plan);
    }
    throw this.#finding(fault, undefined, 'None of the last connections shows it by itself.');
  }

  /** Whether a plan goes wrong when it is tried again, in a gateway that has said nothing yet. */
  async #again(plan: Plan): Promise<boolean> {
    const subject = this.#subject;
    if (subject.gateway.stderrLines.length > 0 || !subject.gateway.isRunning) await subject.restart();
    const { fault } = await play(plan, subject.gateway.port, subject.known);
    return fault !== undefined || subject.gateway.stderrLines.length > 0 || !subject.gateway.isRunning;
  }

  async #fail(fault: string, number: number | undefined, plan: Plan): Promise<never> {
    this.#failed = true;
    const { known } = this.#subject;
    const least = await smallestPlan(plan, known, (smaller) => this.#again(smaller));
    throw this.#finding(
      fault,
      number,
      inputOf(least, (text) => withNames(text, known.keys)),
    );
  }

  #finding(fault: string, number: number | undefined, input: string): Finding {
    return new Finding({ fault, what: 'http', seed: this.#run.seed, number, input });
  }
}

/** A plan in the form of the corpus. */
function inputOf({ sends, ending }: Plan, readable: (text: string) => string): string {
  const packets = sends.map((send) => packetsOf(send).map(readable));
  return JSON.stringify({ sends: packets, ending }, undefined, 2);
}

/** What the gateway holds when all connections have ended. */
async function quiet({ gateway }: Subject): Promise<ResourceUsage> {
  for (let tries = 0; ; tries += 1) {
    const resourceUsage = await gateway.resourceUsage();
    if ((resourceUsage.resources['TCPSocketWrap'] ?? 0) === 0 || tries === 50) return resourceUsage;
    await delay(100);
  }
}
