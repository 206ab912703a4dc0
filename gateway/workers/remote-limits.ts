import type { Plan } from '../../build/release/plans.ts';
import type { FailedKeyCount } from '../access/failed-keys.ts';
import type { Decision } from '../limits/decision.ts';
import type { LimitStore } from '../limits/store.ts';
import { type Answer, decisionsOf, type Question } from './decisions.ts';
import { PendingReplies } from './messages.ts';

/** Milliseconds until requests fail whose question has no answer: longer than the primary waits for its database. */
const answerTimeout = 10_000;

/** A request that waits for its part of an answer. */
interface Waiting {
  resolve(value: Decision | FailedKeyCount): void;
  reject(error: Error): void;
}

/** A question, and the requests that wait for its answer, in order. */
interface Asked {
  readonly what:
    | { readonly account: string; readonly plan: string; readonly key: string }
    | { readonly address: string };
  readonly waiting: Waiting[];
}

/**
 * Limits that the primary process decides. A message costs as much as a large part of a request, so that one is on its
 * way at a time: what requests ask meanwhile becomes the next one, with one question for each key or address. The more
 * requests there are, the more share a message.
 */
export class RemoteLimits implements LimitStore {
  readonly #planNames: ReadonlyMap<Plan, string>;
  readonly #send: (questions: readonly Question[]) => void;
  /** Whether the primary process has not replied to the last message. */
  #isAsking = false;
  /** In the next message. By plan, key and account, or by address. */
  readonly #next = new Map<string, Asked>();
  readonly #answers = new PendingReplies<Answer>();

  /** @param plans by name; `take` gets one of them */
  constructor(plans: Readonly<Record<string, Plan>>, send: (questions: readonly Question[]) => void) {
    this.#planNames = new Map(Object.entries(plans).map(([name, plan]) => [plan, name]));
    this.#send = send;
  }

  take(account: string, of: Plan, key = ''): Promise<Decision> {
    const plan = this.#planNames.get(of) ?? '';
    return this.#ask(`${plan}\n${key}\n${account}`, { account, plan, key }) as Promise<Decision>;
  }

  /** @see CountFailedKey */
  countFailedKey(address: string): Promise<FailedKeyCount> {
    return this.#ask(address, { address }) as Promise<FailedKeyCount>;
  }

  /** @param answers to some of the questions; none if the primary process has received a message, but knows none yet */
  receive(answers: readonly Answer[]): void {
    for (const answer of answers) this.#answers.reply(answer.id, answer);
    this.#askMore();
  }

  async close(): Promise<void> {}

  #ask(name: string, what: Asked['what']): Promise<Decision | FailedKeyCount> {
    return new Promise((resolve, reject) => {
      let asked = this.#next.get(name);
      if (!asked) {
        if (this.#next.size === 0) setImmediate(() => this.#sendNext());
        asked = { what, waiting: [] };
        this.#next.set(name, asked);
      }
      asked.waiting.push({ resolve, reject });
    });
  }

  #sendNext(): void {
    if (this.#isAsking || this.#next.size === 0) return;
    this.#isAsking = true;
    const questions: Question[] = [];
    for (const { what, waiting } of this.#next.values()) {
      const ask = (id: number) => questions.push({ id, count: waiting.length, ...what });
      void this.#answers.ask(ask, answerTimeout).then((answer) => this.#resolve(waiting, answer));
    }
    this.#next.clear();
    this.#send(questions);
  }

  #resolve(waiting: readonly Waiting[], answer: Answer | undefined): void {
    const values = answer ? valuesOf(answer, waiting.length) : [];
    for (const [index, { resolve, reject }] of waiting.entries()) {
      const value = values[index];
      if (value) resolve(value);
      else reject(new Error('The primary process could not decide on a request.'));
    }
    // The message may have been lost.
    if (!answer) this.#askMore();
  }

  #askMore(): void {
    this.#isAsking = false;
    if (this.#next.size > 0) setImmediate(() => this.#sendNext());
  }
}

/** What each request of a question gets. */
function valuesOf({ runs, failedKeys }: Answer, count: number): readonly (Decision | FailedKeyCount)[] {
  if (runs) return decisionsOf(runs);
  if (!failedKeys) return [];
  const { totalHits, resetTime } = failedKeys;
  return Array.from({ length: count }, (_, index) => ({ totalHits: totalHits + index, resetTime }));
}
