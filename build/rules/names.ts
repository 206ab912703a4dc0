import leven from 'leven';
import type { ShiftPlace } from '../content/types.ts';
import { reservedNames } from '../release/urls.ts';

/** What is wrong with the code of an exam, which names its folder, as a sentence; undefined when nothing is. */
export function examFault(code: string): string | undefined {
  if (reservedNames.has(code))
    return `"${code}" is a name that the service uses itself. Name the exam's folder otherwise.`;
  if (!/^[a-z][a-z0-9]*$/.test(code))
    return `"${code}" is no exam code: lower-case letters and digits, a letter first, like jeemain.`;
  return undefined;
}

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

/** No name is longer; a text that is was not meant to be one. */
const longestName = 100;

/**
 * The one of several names that somebody meant who wrote another; undefined when none is near. Upper and
 * lower case are the same here.
 */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  if (written.length > longestName) return undefined;
  const word = written.trim().toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = leven(word, name.toLowerCase());
    if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { name, distance };
  }
  return best && best.distance <= Math.max(1, Math.floor(best.name.length / 3)) ? best.name : undefined;
}

/** No message shows more of a value. */
const longestQuote = 80;

/** A value as a message shows it: as JSON, and of a long one the beginning. */
export function quote(value: unknown): string {
  if (Array.isArray(value)) return 'A list';
  if (typeof value === 'object' && value !== null) return 'An object';
  const text = typeof value === 'string' ? value.slice(0, longestQuote) : value;
  const json = JSON.stringify(text) ?? String(text);
  return json.length > longestQuote ? `${json.slice(0, longestQuote - 3)}...` : json;
}
