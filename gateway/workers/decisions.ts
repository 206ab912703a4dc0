/** The questions that a worker asks about limits, and the answers, in the form in which processes exchange them. */
import { isDeepStrictEqual } from 'node:util';
import type { Plan } from '../../build/release/plans.ts';
import type { FailedKeyCount } from '../access/failed-keys.ts';
import { type Decision, decisionOf } from '../limits/decision.ts';

/** What is asked about: a request of an account, or an address that has sent invalid keys. */
export type Subject =
  | { readonly account: string; readonly plan: Plan; readonly key: string }
  | { readonly address: string };

/** Requests of one message that are decided alike. */
export type Question = { readonly id: number; readonly count: number } & Subject;

/** The answer to the question with the same id. Undefined: there is none, because something has failed. */
export interface Answer {
  readonly id: number;
  readonly runs?: readonly Run[];
  /** Up to and with the first request of the question. */
  readonly failedKeys?: FailedKeyCount;
}

/**
 * Decisions on successive requests of an account: each leaves one request less than the one before, or rejects, too.
 */
export interface Run {
  readonly first: Decision;
  readonly count: number;
}

/** Joins decisions into runs. Those of one moment are one or two: the accepted requests, and the rejected ones. */
export function runsOf(decisions: readonly Decision[]): Run[] {
  const runs: { first: Decision; count: number }[] = [];
  for (const decision of decisions) {
    const run = runs.at(-1);
    if (run && isDeepStrictEqual(decisionAt(run.first, run.count), decision)) run.count += 1;
    else runs.push({ first: decision, count: 1 });
  }
  return runs;
}

/** The decisions that were joined. */
export function decisionsOf(runs: readonly Run[]): Decision[] {
  return runs.flatMap(({ first, count }) =>
    Array.from({ length: count }, (_, index) => decisionAt(first, index)),
  );
}

/** @param index of the decision in a run, from 0 */
function decisionAt(first: Decision, index: number): Decision {
  if (index === 0 || !first.accepted) return first;
  const { rate, quota } = first;
  return decisionOf(
    true,
    { ...rate, remaining: rate.remaining - index },
    { ...quota, remaining: quota.remaining - index },
  );
}

/** Counts for all workers: requests of accounts, and requests with invalid keys of addresses. */
export interface Counters {
  take(account: string, plan: Plan, key: string): Decision | Promise<Decision>;
  countFailedKey(address: string): FailedKeyCount;
}

/**
 * Answers questions: at once if it can, so that no account waits until another one is read from the database.
 *
 * @param send is called once with the answers that are known at once, if any, and later for each of the others
 */
export function answer(
  questions: readonly Question[],
  counters: Counters,
  send: (answers: readonly Answer[]) => void,
): void {
  const answers: Answer[] = [];
  for (const question of questions) {
    const { id } = question;
    if ('address' in question) {
      answers.push({ id, failedKeys: countFailedKeys(question.address, question.count, counters) });
      continue;
    }
    const decisions = takeAll(question, counters);
    if (!(decisions instanceof Promise)) answers.push({ id, runs: runsOf(decisions) });
    else
      decisions.then(
        (decided) => send([{ id, runs: runsOf(decided) }]),
        () => send([{ id }]),
      );
  }
  send(answers);
}

function takeAll(
  { account, plan, key, count }: Extract<Question, { account: string }>,
  { take }: Counters,
): Decision[] | Promise<Decision[]> {
  const decisions = Array.from({ length: count }, () => take(account, plan, key));
  return decisions.some((decision) => decision instanceof Promise)
    ? Promise.all(decisions)
    : (decisions as Decision[]);
}

function countFailedKeys(
  address: string,
  count: number,
  { countFailedKey }: Counters,
): FailedKeyCount {
  const first = countFailedKey(address);
  for (let more = 1; more < count; more += 1) countFailedKey(address);
  return first;
}
