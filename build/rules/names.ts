/** Names and values in messages: what is wrong with a name, and values in quotes. */
import type { ShiftPlace } from '../content/types.ts';
import { isName, parseShiftName, reservedNames } from '../release/urls.ts';

/** What is wrong with an exam code, which is the name of its folder, as a sentence; undefined for a valid one. */
export function examProblem(code: string): string | undefined {
  if (reservedNames.has(code)) return `"${code}" is reserved. Rename the folder of the exam.`;
  if (!isName('exam', code))
    return `"${code}" is not an exam code. Use lower-case letters and digits, starting with a letter, such as jeemain.`;
  return undefined;
}

/** A larger number is a mistake. */
const maxShiftNumber = 9999;

/** What is wrong with the names of a shift's folders, as a sentence; undefined for valid ones. */
export function shiftProblem({ year, shift }: Pick<ShiftPlace, 'year' | 'shift'>): string | undefined {
  if (!/^[1-9]\d{3}$/.test(year)) return `"${year}" is not a year. Name the folder with four digits, such as 2024.`;
  const name = parseShiftName(shift);
  if (!name || name.number > maxShiftNumber)
    return `"${shift}" is not a shift name. Use the date and the number of the shift, such as ${year}-05-05-s1.`;
  if (!isRealDate(name.date)) return `"${shift}" names a date that does not exist.`;
  if (name.year !== year) return `The shift "${shift}" is in the folder of the year ${year}. Move it to ${name.year}.`;
  return undefined;
}

function isRealDate(date: string): boolean {
  const moment = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date);
}

/** Characters of a value that a message shows. */
const longestQuote = 80;

/** A value as a message shows it: as JSON, cut off when it is long. */
export function quote(value: unknown): string {
  if (Array.isArray(value)) return 'A list';
  if (typeof value === 'object' && value !== null) return 'An object';
  const text = typeof value === 'string' ? value.slice(0, longestQuote) : value;
  const json = JSON.stringify(text) ?? String(text);
  return json.length > longestQuote ? `${json.slice(0, longestQuote - 3)}...` : json;
}
