import { parseShift } from '../release/urls.ts';

/** Chronological order: by date, then by the shift's number as a number, so that `s10` comes after `s2`. */
export function compareShifts(a: string, b: string): number {
  const left = parseShift(a);
  const right = parseShift(b);
  if (left.date !== right.date) return left.date < right.date ? -1 : 1;
  return left.number - right.number;
}

/** Length of `YYYY-`: the year is already in the path of a request. */
const yearLength = 5;
/** Length of `MM-DD`: a shorter prefix could also be the start of a year. */
const dayLength = 5;

/**
 * Every accepted spelling of the shifts of one year (section 4 of the specification, Shift resolution). If a spelling
 * matches several shifts, a full name precedes an ordinal (`s1`), an ordinal precedes a prefix, and a prefix names the
 * first matching shift in chronological order.
 *
 * @param shifts full names in chronological order
 * @returns spelling to full name
 */
export function shiftAliases(shifts: readonly string[]): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const shift of shifts) aliases.set(shift, shift);
  for (const [index, shift] of shifts.entries()) add(aliases, `s${index + 1}`, shift);
  for (const shift of shifts) {
    const withoutYear = shift.slice(yearLength);
    for (let end = 1; end < shift.length; end += 1) add(aliases, shift.slice(0, end), shift);
    for (let end = dayLength; end <= withoutYear.length; end += 1) add(aliases, withoutYear.slice(0, end), shift);
  }
  return aliases;
}

function add(aliases: Map<string, string>, spelling: string, shift: string): void {
  if (!aliases.has(spelling)) aliases.set(spelling, shift);
}
