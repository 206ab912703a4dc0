import type { Plan } from '../../build/release/plans.ts';
import type { FailedKeyCount } from '../access/failed-keys.ts';
import type { Decision } from '../limits/decision.ts';
import type { LimitStore } from '../limits/store.ts';
import { type Answer, decisionsOf, type Question, type Subject } from './decisions.ts';
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
  readonly what: Subject;
  readonly waiting: Waiting[];
}

/**
 * Limits that the primary process decides. A message costs as much as a large part of a request, so that one is on its
 * way at a time: what requests ask meanwhile becomes the next one, with one question for each key or address. The more
 * requests there are, the more share a message.
 */
export function remoteLimits(send: (questions: readonly Question[]) => void) {
  /** Whether the primary process has not replied to the last message. */
  let isAsking = false;
  /** In the next message. By plan, key and account, or by address. */
  const next = new Map<string, Asked>();
  const replies = new PendingReplies<Answer>();

  function ask(name: string, what: Subject): Promise<Decision | FailedKeyCount> {
    return new Promise((resolve, reject) => {
      let asked = next.get(name);
      if (!asked) {
        if (next.size === 0) setImmediate(sendNext);
        asked = { what, waiting: [] };
        next.set(name, asked);
      }
      asked.waiting.push({ resolve, reject });
    });
  }

  function sendNext(): void {
    if (isAsking || next.size === 0) return;
    isAsking = true;
    const questions: Question[] = [];
    for (const { what, waiting } of next.values()) {
      const add = (id: number) => questions.push({ id, count: waiting.length, ...what });
      void replies.ask(add, answerTimeout).then((answer) => settle(waiting, answer));
    }
    next.clear();
    send(questions);
  }

  function settle(waiting: readonly Waiting[], answer: Answer | undefined): void {
    const values = answer ? valuesOf(answer, waiting.length) : [];
    for (const [index, { resolve, reject }] of waiting.entries()) {
      const value = values[index];
      if (value) resolve(value);
      else reject(new Error('The primary process could not decide on a request.'));
    }
    // The message may have been lost.
    if (!answer) askMore();
  }

  function askMore(): void {
    isAsking = false;
    if (next.size > 0) setImmediate(sendNext);
  }

  return {
    take(account: string, plan: Plan, key = ''): Promise<Decision> {
      const name = `${plan.perSecond} ${plan.perMonth}\n${key}\n${account}`;
      return ask(name, { account, plan, key }) as Promise<Decision>;
    },

    /** @see CountFailedKey */
    countFailedKey(address: string): Promise<FailedKeyCount> {
      return ask(address, { address }) as Promise<FailedKeyCount>;
    },

    /** @param answers to some of the questions; none if the primary process has received a message, but knows none yet */
    receive(answers: readonly Answer[]): void {
      for (const answer of answers) replies.reply(answer.id, answer);
      askMore();
    },

    async close(): Promise<void> {},
  } satisfies LimitStore & Record<string, unknown>;
}

/** What each request of a question gets. */
function valuesOf(
  { runs, failedKeys }: Answer,
  count: number,
): readonly (Decision | FailedKeyCount)[] {
  if (runs) return decisionsOf(runs);
  if (!failedKeys) return [];
  const { totalHits, resetTime } = failedKeys;
  return Array.from({ length: count }, (_, index) => ({ totalHits: totalHits + index, resetTime }));
}
