/**
 * Calls an asynchronous function for each item, a number of items at a time. After an error, no further item is begun,
 * and those under way have ended when it is thrown.
 *
 * @param run takes an item, and which of the concurrent runs it is part of: a number below `limit`
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  limit: number,
  run: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  let isFailed = false;
  const runs = Array.from({ length: limit }, async (_, index) => {
    for (let next = queue.next(); !next.done && !isFailed; next = queue.next()) {
      await run(next.value, index).catch((error: unknown) => {
        isFailed = true;
        throw error;
      });
    }
  });
  for (const result of await Promise.allSettled(runs)) if (result.status === 'rejected') throw result.reason;
}
