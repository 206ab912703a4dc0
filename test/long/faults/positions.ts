/** Evenly spaced positions in a length, from the first to the last: at most `most`, or all if there are fewer. */
export function positions(length: number, most: number): number[] {
  if (length <= most) return Array.from({ length }, (_, index) => index);
  return Array.from({ length: most }, (_, index) => Math.round((index * (length - 1)) / (most - 1)));
}
