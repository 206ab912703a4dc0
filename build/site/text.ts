/** Text that the pages and their scripts share. */

/** Formats a whole number, as in `1,000`. `Intl` takes longer to load than a page takes to be written. */
export function numberOf(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Formats a count, as in `1 request` or `1,000 requests`. */
export function countOf(value: number, noun: string): string {
  return `${numberOf(value)} ${value === 1 ? noun : `${noun}s`}`;
}

/** The origin in code samples: that of a gateway started by `npm start`. The pages' script replaces it by their own. */
export const sampleOrigin = 'http://127.0.0.1:8080';
