import type { Plan } from '../../build/release/plans.ts';
import type { Decision } from '../limits/decision.ts';
import type { LimitStore } from '../limits/store.ts';
import { type Answer, decisionsOf, type Question } from './decisions.ts';

/** Milliseconds until requests fail whose question has no answer: longer than the primary waits for its database. */
const answerTimeout = 10_000;

/** Milliseconds between two checks for late answers. */
const checkInterval = 1_000;

interface FailedKeyHits {
  readonly totalHits: number;
  readonly resetTime: Date;
}

/** A request that waits for its part of an answer. */
interface Waiting {
  resolve(value: Decision | FailedKeyHits): void;
  reject(error: Error): void;
}

/** A question, and the requests that wait for its answer, in order. */
interface Asked {
  readonly id: number;
  readonly what:
    | { readonly account: string; readonly plan: string; readonly key: string }
    | { readonly address: string };
  readonly at: number;
  readonly waiting: Waiting[];
}

/**
 * Limits that the primary process decides. A message costs as much as a large part of a request, so that one is on its way
 * at a time: what requests ask meanwhile becomes the next one, with one question for each key or address. The more
 * requests there are, the more share a message.
 */
export class RemoteLimits implements LimitStore {
  readonly #planNames: ReadonlyMap<Plan, string>;
  readonly #send: (questions: readonly Question[]) => void;
  /** Whether the primary process has not replied to the last message. */
  #isAsking = false;
  /** In the next message. By plan, key and account, or by address. */
  readonly #next = new Map<string, Asked>();
  /** By id; the oldest first. */
  readonly #asked = new Map<number, Asked>();
  #lastId = 0;
  readonly #timer: NodeJS.Timeout;

  /** @param plans by name; `take` gets one of them */
  constructor(plans: Readonly<Record<string, Plan>>, send: (questions: readonly Question[]) => void) {
    this.#planNames = new Map(Object.entries(plans).map(([name, plan]) => [plan, name]));
    this.#send = send;
    this.#timer = setInterval(() => this.#rejectLate(), checkInterval).unref();
  }

  take(account: string, of: Plan, key = ''): Promise<Decision> {
    const plan = this.#planNames.get(of) ?? '';
    return this.#ask(`${plan}\n${key}\n${account}`, { account, plan, key }) as Promise<Decision>;
  }

  /** @see CountFailedKey */
  countFailedKey(address: string): Promise<FailedKeyHits> {
    return this.#ask(address, { address }) as Promise<FailedKeyHits>;
  }

  /** @param answers to some of the questions; none if the primary process has received a message, but knows none yet */
  receive(answers: readonly Answer[]): void {
    for (const answer of answers) this.#answer(answer);
    this.#isAsking = false;
    if (this.#next.size > 0) setImmediate(() => this.#sendNext());
  }

  #answer(answer: Answer): void {
    const asked = this.#asked.get(answer.id);
    this.#asked.delete(answer.id);
    if (!asked) return;
    const values = valuesOf(answer, asked.waiting.length);
    for (const [index, { resolve, reject }] of asked.waiting.entries()) {
      const value = values[index];
      if (value) resolve(value);
      else reject(new Error('The primary process could not decide on a request.'));
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
  }

  #ask(name: string, what: Asked['what']): Promise<Decision | FailedKeyHits> {
    return new Promise((resolve, reject) => {
      let asked = this.#next.get(name);
      if (!asked) {
        if (this.#next.size === 0) setImmediate(() => this.#sendNext());
        this.#lastId += 1;
        asked = { id: this.#lastId, what, at: performance.now(), waiting: [] };
        this.#next.set(name, asked);
      }
      asked.waiting.push({ resolve, reject });
    });
  }

  #sendNext(): void {
    if (this.#isAsking || this.#next.size === 0) return;
    this.#isAsking = true;
    const questions: Question[] = [];
    for (const asked of this.#next.values()) {
      this.#asked.set(asked.id, asked);
      questions.push({ id: asked.id, count: asked.waiting.length, ...asked.what });
    }
    this.#next.clear();
    this.#send(questions);
  }

  #rejectLate(): void {
    const before = performance.now() - answerTimeout;
    for (const { id, at } of this.#asked.values()) {
      if (at > before) return;
      this.receive([{ id }]);
    }
  }
}

/** What each request of a question gets. */
function valuesOf({ runs, failedKeys }: Answer, count: number): readonly (Decision | FailedKeyHits)[] {
  if (runs) return decisionsOf(runs);
  if (!failedKeys) return [];
  const { totalHits, resetTime } = failedKeys;
  return Array.from({ length: count }, (_, index) => ({
    totalHits: totalHits + index,
    resetTime: new Date(resetTime),
  }));
}
