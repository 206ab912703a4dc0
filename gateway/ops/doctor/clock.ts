import { type Finding, ok, warning } from './check.ts';
import { spanInWords } from './words.ts';

/** Milliseconds by which clocks may differ: a Date field is cut to the second, and the network takes its time. */
const tolerance = 2_500;

/**
 * What it means that another clock is not ours.
 *
 * @param whose clock it is, as a sentence begins
 * @param ahead milliseconds by which it is ahead
 */
export function judgeClock(whose: string, ahead: number): Finding {
  if (Math.abs(ahead) <= tolerance) return ok(`${whose} clock goes with the one here.`);
  const direction = ahead > 0 ? 'ahead of' : 'behind';
  return warning(
    `${whose} clock is ${spanInWords(Math.abs(ahead))} ${direction} the one here.`,
    'Let NTP set both: by them keys expire, and months of quota end.',
  );
}
