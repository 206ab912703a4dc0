/** In seconds. */
const units: readonly (readonly [string, number])[] = [
  ['days', 86_400],
  ['h', 3600],
  ['min', 60],
];

/** A span of time in its largest unit: `8 days`, `3 h`, `12 min`, `4 s`. */
export function inWords(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const [unit, length] = units.find(([, length]) => seconds >= 2 * length) ?? ['s', 1];
  return `${Math.ceil(seconds / length)} ${unit}`;
}

/** A moment to the minute: `2026-12-01 00:00 UTC`. @param now milliseconds since 1970, UTC */
export function momentInWords(now: number): string {
  const minute = new Date(Math.round(now / 60_000) * 60_000).toISOString();
  return `${minute.slice(0, 'YYYY-MM-DD'.length)} ${minute.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length)} UTC`;
}

/** A number and what it counts: `1 file`, `2 files`. @param many the plural, where it is not made by an `s` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** An amount of data: `512 bytes`, `12 kB`, `3.4 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte');
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A text of someone else's, safe to print: quoted, control characters escaped, cut to a line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
