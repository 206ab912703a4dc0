/**
 * Calls an asynchronous function for each item, a number of items at a time. After an error, no further item is begun, and
 * those under way have ended when it is thrown.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  limit: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const entries = items.values();
  let isFailed = false;
  const runs = Array.from({ length: limit }, async () => {
    for (const item of entries) {
      if (isFailed) return;
      await run(item).catch((error: unknown) => {
        isFailed = true;
        throw error;
      });
    }
  });
  for (const result of await Promise.allSettled(runs)) if (result.status === 'rejected') throw result.reason;
}
