import type { StalePaper } from './report.ts';

/** What the schema asks of `lastUpdated`, as parts that can be put in order. */
const form = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:[0-5]\d)(?:\.(\d{1,9}))?Z$/;

/** Whether a text is a moment as a subject file tells it: ISO 8601 in UTC. */
export function isMoment(text: string): boolean {
  return form.test(text) && !Number.isNaN(Date.parse(text));
}

/**
 * What is wrong with a paper's new `lastUpdated`; undefined when nothing is.
 *
 * @param before and `after` are moments
 * @param changed whether the content changed
 */
export function staleness(before: string, after: string, changed: boolean): StalePaper['fault'] | undefined {
  const [old, now] = [sortable(before), sortable(after)];
  if (now < old) return 'earlier';
  return changed && now === old ? 'same' : undefined;
}

/** Moments in this form come in the order of their texts, to the last digit of a second. */
function sortable(moment: string): string {
  const [, seconds = '', fraction = ''] = form.exec(moment) ?? [];
  return `${seconds}.${fraction.padEnd(9, '0')}`;
}
