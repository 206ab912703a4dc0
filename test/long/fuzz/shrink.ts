/**
 * Removes parts of a failing case as long as it still fails.
 *
 * @param smallerOf the case with parts removed, the largest parts first
 * @param fails whether a case fails in the same way
 * @param maxAttempts the most cases to try
 */
export async function shrink<T>(
  from: T,
  smallerOf: (one: T) => Iterable<T>,
  fails: (one: T) => Promise<boolean>,
  maxAttempts: number,
): Promise<T> {
  let best = from;
  let tries = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const smaller of smallerOf(best)) {
      if (tries === maxAttempts) return best;
      tries += 1;
      if (!(await fails(smaller))) continue;
      best = smaller;
      isSmaller = true;
      break;
    }
  }
  return best;
}
