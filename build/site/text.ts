/** Text that the pages and their scripts share. */

const numberFormat = new Intl.NumberFormat('en-GB');

/** Formats a number, as in `1,000`. */
export function numberOf(value: number): string {
  return numberFormat.format(value);
}

/** Formats a count, as in `1 request` or `1,000 requests`. */
export function countOf(value: number, noun: string): string {
  return `${numberOf(value)} ${value === 1 ? noun : `${noun}s`}`;
}

/** The origin in code samples: that of a gateway started by `npm start`. The pages' script replaces it by their own. */
export const sampleOrigin = 'http://127.0.0.1:8080';
