import { countOf, numberOf } from '../../numbers.ts';
import type { Usage } from './answers.ts';
import { type Bar, barsOf, mostOf } from './bars.ts';
import { daysIn, monthOf, utcDayOf } from './moments.ts';

/** Pixels, from the top: the label of the highest bar, the bars, the days. Across, all is in percent. */
const labelHeight = 18;
const plotHeight = 96;
const height = labelHeight + plotHeight + 20;
const floor = labelHeight + plotHeight;

/** Draws a month's usage by day: a bar each, the last of them today's. */
export function usageChart({ month, days }: Usage): SVGSVGElement {
  const daysOfMonth = daysIn(month);
  const chart = shape('svg', { class: 'bars', width: '100%', height, role: 'img' });
  chart.setAttribute('aria-label', inWords(month, days));
  chart.append(
    text('100%', labelHeight - 6, 'end', numberOf(mostOf(days))),
    line(labelHeight, 'grid'),
    ...barsOf(days, daysOfMonth, plotHeight).map((bar, index) => rectangle(bar, index === days.length - 1)),
    line(floor, 'floor'),
    ...dayLabels(days.length, daysOfMonth),
  );
  return chart;
}

/** What the chart shows, for who does not see it. */
function inWords(month: string, days: Usage['days']): string {
  const most = mostOf(days);
  const peak = days.find(({ used }) => used === most);
  const today = days.at(-1);
  if (!peak || !today) return `No requests in ${monthOf(month)}.`;
  return (
    `Requests by day in ${monthOf(month)}. The most were ${numberOf(most)}, on ${utcDayOf(peak.day)}; ` +
    `today ${numberOf(today.used)}.`
  );
}

function rectangle({ day, used, left, width, height }: Bar, isToday: boolean): SVGElement {
  const bar = shape('rect', {
    class: isToday ? 'day today' : 'day',
    x: `${left.toFixed(3)}%`,
    y: floor - height,
    width: `${width.toFixed(3)}%`,
    height,
    rx: 2,
  });
  const title = shape('title', {});
  title.textContent = `${utcDayOf(day)}: ${countOf(used, 'request')}`;
  bar.append(title);
  return bar;
}

/** The first day, today and the last, where they do not come too near each other. */
function dayLabels(today: number, last: number): SVGElement[] {
  const near = 3;
  const baseline = height - 5;
  const middle = `${(((today - 0.5) / last) * 100).toFixed(3)}%`;
  return [
    ...(today > near ? [text('0', baseline, 'start', '1')] : []),
    text(middle, baseline, today === 1 ? 'start' : 'middle', String(today), 'today'),
    ...(today < last - near ? [text('100%', baseline, 'end', String(last))] : []),
  ];
}

function line(y: number, name: string): SVGElement {
  return shape('line', { class: name, x1: '0', x2: '100%', y1: y, y2: y });
}

function text(x: string, y: number, anchor: string, content: string, name = 'label'): SVGElement {
  const label = shape('text', { class: name, x, y, 'text-anchor': anchor });
  label.textContent = content;
  return label;
}

function shape<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
  return made;
}
