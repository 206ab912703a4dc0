/**
 * Waits for something that may never end.
 *
 * @param limit milliseconds
 * @throws what `late` makes when it has not ended by then; it goes on, and what becomes of it is dropped
 */
export function inTime<Result>(promise: Promise<Result>, limit: number, late: () => Error): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limit);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
