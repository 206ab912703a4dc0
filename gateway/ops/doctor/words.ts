const second = 1000;
const steps = [
  ['day', 86_400 * second],
  ['hour', 3600 * second],
  ['minute', 60 * second],
  ['second', second],
] as const;

/** A time as people say it, to its largest part: `3 days`. */
export function spanInWords(milliseconds: number): string {
  const [name, length] = steps.find(([, step]) => milliseconds >= step) ?? ['second', second];
  return counted(Math.round(milliseconds / length), name);
}

export function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
