/** The parts of a full shift name, `<YYYY>-<MM>-<DD>-s<n>`. */
export interface ShiftName {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly number: number;
}

/** @throws RangeError when `shift` is no full shift name */
export function parseShift(shift: string): ShiftName {
  const match = /^(\d{4}-\d{2}-\d{2})-s([1-9]\d*)$/.exec(shift);
  if (!match?.[1] || !match[2]) throw new RangeError(`${shift} is no full shift name`);
  return { date: match[1], number: Number(match[2]) };
}

/** Chronological order: by date, then by the shift's number as a number, so that `s10` comes after `s2`. */
export function compareShifts(a: string, b: string): number {
  const [left, right] = [parseShift(a), parseShift(b)];
  if (left.date !== right.date) return left.date < right.date ? -1 : 1;
  return left.number - right.number;
}
