/** So many places of a length, spread evenly from the first to the last; all of them where there are no more. */
export function positions(length: number, most: number): number[] {
  if (length <= most) return Array.from({ length }, (_, place) => place);
  return Array.from({ length: most }, (_, index) => Math.round((index * (length - 1)) / (most - 1)));
}
