/** Tries of one request, all in all, and how long they may take together, in milliseconds. */
export const mostTries = 8;
const longestTrying = 10 * 60_000;

/** Milliseconds: the bound of the first delay, and where the bound stops doubling. */
const firstBound = 1000;
const lastBound = 30_000;

/**
 * How long to wait before a try: exponential backoff with full jitter, so that clients that failed together do
 * not come again together.
 *
 * @param number of the try, from 2 on
 * @param random from 0 up to, but not including, 1
 * @returns milliseconds
 */
export function delayBefore(number: number, random: () => number): number {
  return random() * Math.min(lastBound, firstBound * 2 ** (number - 2));
}

/** Whether there is no further try, after so many that would have taken so many milliseconds by the next. */
export function triesEnd(tries: number, spent: number): boolean {
  return tries >= mostTries || spent > longestTrying;
}
