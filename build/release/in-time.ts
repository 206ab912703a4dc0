/**
 * Waits for a promise with a time limit. A late operation continues; its result is ignored.
 *
 * @param limit milliseconds
 * @throws what `late` returns when the limit has passed
 */
export function inTime<Result>(promise: Promise<Result>, limit: number, late: () => Error): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limit);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
