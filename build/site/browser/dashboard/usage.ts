/** The usage of the month: the share of the quota, and a chart and a table of its days. */
import { countOf, numberOf } from '../../text.ts';
import { element, setText, show } from '../elements.ts';
import type { Account, Usage, UsageDay } from './api.ts';
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
  showBars(usage);
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

/** Shows a bar for each day of the month, in the day's column of the whole month. */
function showBars({ month, days }: Usage): void {
  const daysOfMonth = daysIn(month);
  const max = Math.max(0, ...days.map(({ used }) => used));
  const bars = element('bars', HTMLElement);
  bars.style.gridTemplateColumns = `repeat(${daysOfMonth}, 1fr)`;
  bars.setAttribute('aria-label', descriptionOf(month, days, max));
  bars.replaceChildren(...days.map((day) => bar(day, max)));
  setText('bars-max', numberOf(max));
  setText('bars-end', String(daysOfMonth));
}

function bar({ day, used }: UsageDay, max: number): HTMLElement {
  const made = document.createElement('span');
  made.title = `${utcDateOf(day)}: ${countOf(used, 'request')}`;
  made.style.height = used === 0 ? '0' : `max(2px, ${(100 * used) / max}%)`;
  return made;
}

/** The bars in words, for screen readers. */
function descriptionOf(month: string, days: Usage['days'], max: number): string {
  const busiest = days.find(({ used }) => used === max);
  const today = days.at(-1);
  if (!busiest || !today) return `No requests in ${monthOf(month)}.`;
  return (
    `Requests by day in ${monthOf(month)}. The maximum is ${numberOf(max)}, on ${utcDateOf(busiest.day)}; ` +
    `today ${numberOf(today.used)}.`
  );
}
