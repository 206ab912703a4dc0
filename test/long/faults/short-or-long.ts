/** Whether the full version runs: `npm run test:long -- faults`. */
export const isLong = process.env['FAULTS'] === 'all';

/** Chooses between the value of the short version and that of the full one (`npm run test:long -- faults`). */
export function shortOrLong(short: number, long: number): number {
  return isLong ? long : short;
}
