import type { TestContext } from 'node:test';
import { calendarOf } from '../../gateway/limits/decision.ts';

/** Runs a test that counts the usage of a month, and runs it again if the month ended meanwhile. */
export function inOneMonth(test: (t: TestContext) => Promise<void>) {
  return async (t: TestContext): Promise<void> => {
    for (;;) {
      const { month } = calendarOf(Date.now());
      const outcome = await test(t).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      if (calendarOf(Date.now()).month !== month) continue;
      if (outcome) throw outcome.error;
      return;
    }
  };
}
