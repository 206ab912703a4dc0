/** The index of the last of numbers in order that is not above a value; 0 where all are. */
export function lastAtMost(ordered: readonly number[], value: number): number {
  let low = 0;
  let high = ordered.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ordered[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
