import type { ShiftPlace } from '../content/bank.ts';

/** What is wrong with the names of a shift's folders, as a sentence; undefined when nothing is. */
export function shiftFault({ year, shift }: Pick<ShiftPlace, 'year' | 'shift'>): string | undefined {
  if (!/^[1-9]\d{3}$/.test(year))
    return `"${year}" is no year: its folder is named with four digits, like 2024.`;
  const match = /^(\d{4})-(\d{2})-(\d{2})-s([1-9]\d{0,3})$/.exec(shift);
  if (!match)
    return `"${shift}" is no shift name: it is the date and the shift's number, like ${year}-05-05-s1.`;
  const date = shift.slice(0, 'YYYY-MM-DD'.length);
  if (!isRealDate(date)) return `"${shift}" names a date that does not exist.`;
  if (match[1] !== year)
    return `The shift "${shift}" stands in the folder of the year ${year}: move it to ${match[1]}.`;
  return undefined;
}

function isRealDate(date: string): boolean {
  const moment = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date);
}
