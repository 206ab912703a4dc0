import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until a condition is true. The timeout is the one of the test.
 *
 * @param pause milliseconds between two checks
 */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  pause = 20,
): Promise<void> {
  while (!(await condition())) await delay(pause);
}
