/** Text that the pages and their scripts share. */
import type { Plans } from '../release/plans.ts';
import type { ExamYears } from '../release/resources.ts';
import { count, formatNumber } from '../report/wording.ts';

/** Describes the limits of plans, as in `The free plan allows 2 requests per second and 1,000 per month.` */
export function planLimits(plans: Plans): string {
  return Object.entries(plans)
    .map(
      ([name, { perSecond, perMonth }]) =>
        `The ${name} plan allows ${count(perSecond, 'request')} per second and ${formatNumber(perMonth)} per month.`,
    )
    .join(' ');
}

/** The list of sample papers. The page of each is below it, at the path of the paper in the API without `.json`. */
export const samplesUrl = '/docs/samples/';

/**
 * The origin in code samples of a bank without a public URL: that of a gateway started by `npm start`. The script of a
 * page replaces either by its own.
 */
export const sampleOrigin = 'http://127.0.0.1:8080';

/** The address of the index that the search of the docs loads. */
export const searchIndexUrl = '/docs/search.json';

/** A name of the content as a heading: `general-knowledge` becomes "General knowledge". */
export function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name of a subject for display. @param code as in URLs */
export function subjectName({ subjectLabels = {} }: ExamYears, code: string): string {
  return new Map(Object.entries(subjectLabels)).get(code) ?? titleOf(code);
}
