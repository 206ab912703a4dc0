import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits for something that comes to be true; the limit of time is the test's.
 *
 * @param pause milliseconds from one look to the next
 */
export async function until(isIt: () => boolean | Promise<boolean>, pause = 20): Promise<void> {
  while (!(await isIt())) await delay(pause);
}
