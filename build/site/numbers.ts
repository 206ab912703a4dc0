const format = new Intl.NumberFormat('en-GB');

/** `1,000` */
export function numberOf(value: number): string {
  return format.format(value);
}

/** `1 request`, `1,000 requests` */
export function countOf(value: number, noun: string): string {
  return `${numberOf(value)} ${value === 1 ? noun : `${noun}s`}`;
}
