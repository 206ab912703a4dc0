/** The usage of a month: the share of the quota, and a chart and a table of its days. */
import { count, formatNumber } from '../../../report/wording.ts';
import { create, element, setText, show } from '../elements.ts';
import type { Account, Counts, Usage } from './api.ts';
import { daysIn, monthOf, relativeTimeOf, utcDateOf } from './texts.ts';

/** Offers the months since the account was created, the current one first. @param onChosen shows one of them */
export function offerMonths(
  { createdAt, usage }: Account,
  onChosen: (month: string) => Promise<void>,
): void {
  const select = element('month', HTMLSelectElement);
  const months = [usage.month];
  const first = createdAt.slice(0, 'YYYY-MM'.length);
  for (let month = usage.month; month > first; ) {
    month = monthBefore(month);
    months.push(month);
  }
  select.replaceChildren(...months.map((month) => new Option(monthOf(month), month)));
  select.onchange = () => onChosen(select.value);
}

function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 2)).toISOString().slice(0, 'YYYY-MM'.length);
}

/** Shows the usage of a month, against the plan's quota if it is the current one. */
export function showUsage({ plan, usage }: Account): void {
  const { used, month, resetAt } = usage;
  const isCurrent = Date.parse(resetAt) > Date.now();
  setText('used', formatNumber(used));
  setText(
    'used-of',
    isCurrent ? `of ${count(plan.perMonth, 'request')}` : used === 1 ? 'request' : 'requests',
  );
  show('quota', isCurrent);
  const isSpent = used >= plan.perMonth;
  const reset = `${utcDateOf(resetAt)} at 00:00 UTC, ${relativeTimeOf(resetAt)}`;
  show('used-rest', !isSpent);
  setText('used-rest', `${formatNumber(plan.perMonth - used)} left. The quota renews on ${reset}.`);
  show('quota-spent', isSpent);
  setText(
    'quota-spent',
    `You have used the quota of this month. Requests get 429 until it renews on ${reset}.`,
  );

  const isUnused = usage.keys.length === 0;
  show('no-usage', isUnused);
  setText('no-usage', isCurrent ? 'No requests this month.' : `No requests in ${monthOf(month)}.`);
  show('usage-details', !isUnused);
  showDays(usage, plan.perMonth);
  element('days').replaceChildren(...usage.days.map(dayRow));
}

function dayRow({ day, used, rejectedByRate, rejectedByQuota }: Usage['days'][number]): Node {
  const numbers = [used, rejectedByRate, rejectedByQuota];
  return create(
    'tr',
    {},
    create('th', { scope: 'row' }, utcDateOf(day)),
    ...numbers.map((number) => create('td', {}, formatNumber(number))),
  );
}

function rejectedOf({ rejectedByRate, rejectedByQuota }: Counts): number {
  return rejectedByRate + rejectedByQuota;
}

/** The pixels above the days of the chart, and the percent of its width beside them, for the axes. */
const [plotHeight, plotLeft] = [150, 8];

/** Draws a bar for each day of the month, and what the quota allows on each day as a line. */
function showDays({ month, days }: Usage, perMonth: number): void {
  const length = daysIn(month);
  const share = perMonth / length;
  const max = Math.max(share, ...days.map((day) => day.used + rejectedOf(day)));
  const width = (100 - plotLeft) / length;
  const left = (day: number) => `${plotLeft + width * day}%`;
  const yOf = (value: number) => plotHeight * (1 - value / max);
  const line = (value: number, className = '') =>
    draw('line', { x1: left(0), x2: '100%', y1: yOf(value), y2: yOf(value), class: className });
  const label = (text: string, x: string, y: number, anchor: string) =>
    draw('text', { x, y, 'text-anchor': anchor }, text);
  const scale = [0, max / 2, max].flatMap((value) => [
    line(value),
    label(formatNumber(Math.round(value)), `${plotLeft - 1}%`, yOf(value) + 4, 'end'),
  ]);
  const numbers = [1, 8, 15, 22, length].map((day) =>
    label(String(day), `${plotLeft + width * (day - 0.5)}%`, plotHeight + 18, 'middle'),
  );
  const bars = days.map((day, index) => {
    const rejected = rejectedOf(day);
    const [used, all] = [day.used, day.used + rejected].map((value) =>
      value === 0 ? plotHeight : Math.min(plotHeight - 2, yOf(value)),
    ) as [number, number];
    const x = `${plotLeft + width * (index + 0.15)}%`;
    const bar = (className: string, y: number, end: number) =>
      draw('rect', { class: className, x, y, width: `${width * 0.7}%`, height: end - y });
    const ofRejected = rejected === 0 ? '' : `, ${formatNumber(rejected)} rejected`;
    const title = `${utcDateOf(day.day)}: ${count(day.used, 'request')}${ofRejected}`;
    return draw(
      'g',
      {},
      draw('title', {}, title),
      draw('rect', { class: 'day', x: left(index), width: `${width}%`, height: plotHeight }),
      ...(used < plotHeight ? [bar('used', used, plotHeight)] : []),
      ...(rejected > 0 ? [bar('rejected', all, used)] : []),
    );
  });
  const plot = element<HTMLElement>('plot');
  plot.replaceChildren(...bars, ...scale, line(share, 'limit'), ...numbers);
  plot.setAttribute('aria-label', descriptionOf(month, days));
  const mean = `The dashed line is the quota by day: ${formatNumber(Math.floor(share))}.`;
  const isRejected = days.some((day) => rejectedOf(day) > 0);
  setText('plot-key', isRejected ? `${mean} Rejected requests are on top of a bar.` : mean);
}

/** Creates a part of a drawing. */
function draw(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...content: readonly (Node | string)[]
): SVGElement {
  const made = document.createElementNS(element('plot').namespaceURI, name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...content);
  return made;
}

/** The bars in words, for screen readers. */
function descriptionOf(month: string, days: Usage['days']): string {
  const [busiest] = [...days].sort((one, other) => other.used - one.used);
  if (!busiest || busiest.used === 0) return `No accepted requests in ${monthOf(month)}.`;
  const maximum = `${formatNumber(busiest.used)}, on ${utcDateOf(busiest.day)}`;
  return `Requests by day in ${monthOf(month)}. The maximum is ${maximum}.`;
}
