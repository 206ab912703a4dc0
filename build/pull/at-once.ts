/**
 * Does the work for each item, so many at a time. After a failure no more work begins; what is under way is told by
 * the controller to end, and has ended when this returns.
 *
 * @param end is aborted by the first failure
 * @throws the first failure
 */
export async function forEachAtOnce<Item>(
  items: Iterable<Item>,
  atOnce: number,
  end: AbortController,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const workers = Array.from({ length: atOnce }, async () => {
    for (let next = queue.next(); !next.done && !end.signal.aborted; next = queue.next())
      await work(next.value).catch((error: unknown) => end.abort(error));
  });
  await Promise.all(workers);
  end.signal.throwIfAborted();
}
