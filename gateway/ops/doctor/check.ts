import type { Config } from '../../config.ts';
import findings from './findings.json' with { type: 'json' };

/** One result of a check, in sentences. */
export interface Finding {
  /** A problem stops the gateway from working, now or soon; a warning does not. */
  readonly state: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** What to do. */
  readonly advice?: string;
}

/** Checks one thing that an installation needs. */
export interface Check {
  readonly name: string;
  /** Yields what it finds, and changes nothing. The caller limits its time. */
  run(config: Config): AsyncIterable<Finding>;
}

export function ok(message: string): Finding {
  return { state: 'ok', message };
}

export function warning(message: string, advice: string): Finding {
  return { state: 'warning', message, advice };
}

export function problem(message: string, advice: string): Finding {
  return { state: 'problem', message, advice };
}

/** A problem or warning of `findings.json`. @param values for the places in its texts, which are written `{{name}}` */
export function found(
  name: keyof typeof findings,
  values: Readonly<Record<string, unknown>> = {},
): Finding {
  const { state, message, advice } = findings[name];
  const filled = (text: string) =>
    text.replace(/\{\{(\w+)\}\}/g, (_, place: string) => String(values[place]));
  return { state: state as Finding['state'], message: filled(message), advice: filled(advice) };
}

/** Milliseconds by which clocks may differ: a Date header has no milliseconds, and the network takes time. */
const clockTolerance = 2_500;

/**
 * Compares another clock with this machine's.
 *
 * @param whose clock it is, as the start of a sentence
 * @param ahead milliseconds by which it is ahead
 */
export function compareClocks(whose: string, ahead: number): Finding {
  if (Math.abs(ahead) <= clockTolerance) return ok(`${whose} clock agrees with the local clock.`);
  const direction = ahead > 0 ? 'ahead of' : 'behind';
  return found('clock-differs', { whose, duration: formatDuration(Math.abs(ahead)), direction });
}

const second = 1000;
const units = [
  ['day', 86_400 * second],
  ['hour', 3600 * second],
  ['minute', 60 * second],
  ['second', second],
] as const;

/** A duration, rounded to its largest unit: `3 days`. */
export function formatDuration(milliseconds: number): string {
  const [name, length] = units.find(([, unit]) => milliseconds >= unit) ?? ['second', second];
  return formatCount(Math.round(milliseconds / length), name);
}

export function formatCount(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
