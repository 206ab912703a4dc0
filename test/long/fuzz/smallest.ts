/**
 * The smallest of what still fails, of all that can be had by leaving something out again and again.
 *
 * @param smallerOf what lacks something of one, the boldest first
 * @param fails whether one goes wrong in the same way
 * @param mostTries how many are tried, at most
 */
export async function smallest<T>(
  from: T,
  smallerOf: (one: T) => Iterable<T>,
  fails: (one: T) => Promise<boolean>,
  mostTries: number,
): Promise<T> {
  let best = from;
  let tries = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const smaller of smallerOf(best)) {
      if (tries === mostTries) return best;
      tries += 1;
      if (!(await fails(smaller))) continue;
      best = smaller;
      isSmaller = true;
      break;
    }
  }
  return best;
}
