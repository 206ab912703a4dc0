/** Length of `YYYY-`, which the path of a request has already said. */
const yearLength = 5;
/** Length of `MM-DD`: a shorter beginning could as well be the beginning of a year. */
const dayLength = 5;

/**
 * Every spelling under which the shifts of one year are found (section 4 of the specification, Shift
 * resolution). Where one spelling fits several shifts, a full name comes before an ordinal (`s1`), an
 * ordinal before a prefix, and of prefixes the first shift in chronological order wins.
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
    for (let end = dayLength; end <= withoutYear.length; end += 1)
      add(aliases, withoutYear.slice(0, end), shift);
  }
  return aliases;
}

function add(aliases: Map<string, string>, spelling: string, shift: string): void {
  if (!aliases.has(spelling)) aliases.set(spelling, shift);
}
