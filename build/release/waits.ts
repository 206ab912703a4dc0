/** How long to wait, for a promise and before another attempt. */
/**
 * Waits for a promise with a time limit. A late operation continues; its result is ignored.
 *
 * @param limit milliseconds
 * @throws what `late` returns when the limit has passed
 */
export function inTime<Result>(
  promise: Promise<Result>,
  limit: number,
  late: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limit);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * The delay before another attempt: exponential backoff.
 *
 * @param failures in succession, at least 1
 * @param first milliseconds after the first failure
 * @param longest milliseconds at most
 */
export function retryDelay(
  failures: number,
  first: number,
  longest = Number.POSITIVE_INFINITY,
): number {
  return Math.min(longest, first * 2 ** (failures - 1));
}
