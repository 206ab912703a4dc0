/** Whether the long versions run: `npm run test:long -- faults`. */
export const isLong = process.env['FAULTS'] === 'all';

/** How often something is done: a little in `npm test`, more in `npm run test:long -- faults`. */
export function rounds(short: number, long: number): number {
  return isLong ? long : short;
}
