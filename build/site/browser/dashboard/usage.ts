/** The usage of the month: the share of the quota, and a chart and a table of its days. */
import { countOf, numberOf } from '../../text.ts';
import { element, setText, show } from '../elements.ts';
import type { Account, Usage, UsageDay } from './api.ts';
import { type Bar, barsOf, maxOf } from './bars.ts';
import { daysIn, monthOf, relativeTimeOf, utcDateOf } from './texts.ts';

/** The share of the quota from which the progress bar shows a warning. */
const warningShare = 0.8;

/** Shows the usage of the month against the plan's quota, and by day. */
export function showUsage({ plan, usage }: Account): void {
  const { used, month, days } = usage;
  setText('used', numberOf(used));
  setText('usage-title', `Usage in ${monthOf(month)}`);
  setText('used-of', `of ${countOf(plan.perMonth, 'request')}`);
  const progress = element('used-share', HTMLProgressElement);
  progress.max = plan.perMonth;
  progress.value = Math.min(used, plan.perMonth);
  progress.classList.toggle('short', used >= plan.perMonth * warningShare);
  const reset = `${utcDateOf(usage.resetAt)} at 00:00 UTC, ${relativeTimeOf(usage.resetAt, Date.now())}`;
  setText(
    'used-rest',
    used < plan.perMonth
      ? `${numberOf(plan.perMonth - used)} left. The quota resets on ${reset}.`
      : `You have used the monthly quota. Requests get 429 until ${reset}.`,
  );
  show('no-usage', used === 0);
  show('usage-days', used > 0);
  element('chart', HTMLElement).replaceChildren(usageChart(usage));
  element('days', HTMLTableSectionElement).replaceChildren(...days.map(dayRow));
}

function dayRow({ day, used }: UsageDay): HTMLTableRowElement {
  const row = document.createElement('tr');
  const head = document.createElement('th');
  head.scope = 'row';
  head.textContent = utcDateOf(day);
  row.append(head);
  const count = row.insertCell();
  count.textContent = numberOf(used);
  return row;
}

/** Pixels, from the top: the label of the highest bar, the bars, the days. Horizontally, all is in percent. */
const labelHeight = 18;
const plotHeight = 96;
const chartHeight = labelHeight + plotHeight + 20;
const floor = labelHeight + plotHeight;

/** Draws a month's usage by day. The last bar is today's. */
function usageChart({ month, days }: Usage): SVGSVGElement {
  const daysOfMonth = daysIn(month);
  const chart = svg('svg', {
    class: 'bars',
    width: '100%',
    height: chartHeight,
    role: 'img',
    'aria-label': descriptionOf(month, days),
  });
  chart.append(
    label('100%', labelHeight - 6, 'end', numberOf(maxOf(days))),
    line(labelHeight, 'grid'),
    ...barsOf(days, daysOfMonth, plotHeight).map((bar) => rectangle(bar, bar.day === days.at(-1)?.day)),
    line(floor, 'floor'),
    ...dayLabels(days.length, daysOfMonth),
  );
  return chart;
}

/** The chart in words, for screen readers. */
function descriptionOf(month: string, days: Usage['days']): string {
  const max = maxOf(days);
  const busiest = days.find(({ used }) => used === max);
  const today = days.at(-1);
  if (!busiest || !today) return `No requests in ${monthOf(month)}.`;
  return (
    `Requests by day in ${monthOf(month)}. The maximum is ${numberOf(max)}, on ${utcDateOf(busiest.day)}; ` +
    `today ${numberOf(today.used)}.`
  );
}

function rectangle({ day, used, left, width, height }: Bar, isToday: boolean): SVGElement {
  const rect = svg('rect', {
    class: isToday ? 'day today' : 'day',
    x: `${left.toFixed(3)}%`,
    y: floor - height,
    width: `${width.toFixed(3)}%`,
    height,
    rx: 2,
  });
  const title = svg('title', {});
  title.textContent = `${utcDateOf(day)}: ${countOf(used, 'request')}`;
  rect.append(title);
  return rect;
}

/** Labels of the first day, today and the last, without those that would overlap. */
function dayLabels(today: number, last: number): SVGElement[] {
  const minDistance = 3;
  const baseline = chartHeight - 5;
  const middle = `${(((today - 0.5) / last) * 100).toFixed(3)}%`;
  return [
    ...(today > minDistance ? [label('0', baseline, 'start', '1')] : []),
    label(middle, baseline, today === 1 ? 'start' : 'middle', String(today), 'today'),
    ...(today < last - minDistance ? [label('100%', baseline, 'end', String(last))] : []),
  ];
}

function line(y: number, className: string): SVGElement {
  return svg('line', { class: className, x1: '0', x2: '100%', y1: y, y2: y });
}

function label(x: string, y: number, anchor: string, text: string, className = 'label'): SVGElement {
  const made = svg('text', { class: className, x, y, 'text-anchor': anchor });
  made.textContent = text;
  return made;
}

function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
  return made;
}
