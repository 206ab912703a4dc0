import { element, say, show } from '../../browser/elements.ts';
import { countOf, numberOf } from '../../numbers.ts';
import type { Account, Usage } from './answers.ts';
import { usageChart } from './chart.ts';
import { distanceOf, monthOf, utcDayOf } from './moments.ts';

/** The share of the quota from which it is told as running short. */
const short = 0.8;

/** Shows the usage of the month against the plan's quota, and by day. */
export function showUsage({ plan, usage }: Account): void {
  const { used, month } = usage;
  say('used', numberOf(used));
  say('usage-title', `Usage in ${monthOf(month)}`);
  say('used-of', `of ${countOf(plan.perMonth, 'request')}`);
  const share = element('used-share', HTMLProgressElement);
  share.max = plan.perMonth;
  share.value = Math.min(used, plan.perMonth);
  share.classList.toggle('short', used >= plan.perMonth * short);
  say('used-rest', restOf(plan.perMonth - used, usage.resetAt));
  show('no-usage', used === 0);
  show('usage-days', used > 0);
  element('chart', HTMLElement).replaceChildren(usageChart(usage));
  element('days', HTMLTableSectionElement).replaceChildren(...dayRows(usage));
}

function restOf(rest: number, resetAt: string): string {
  const reset = `${utcDayOf(resetAt)} at 00:00 UTC, ${distanceOf(resetAt, Date.now())}`;
  return rest > 0
    ? `${numberOf(rest)} left. The count starts again on ${reset}.`
    : `The month is spent: requests get 429 until ${reset}.`;
}

function dayRows({ days }: Usage): HTMLTableRowElement[] {
  return days.map(({ day, used }) => {
    const row = document.createElement('tr');
    const head = document.createElement('th');
    head.scope = 'row';
    head.textContent = utcDayOf(day);
    const count = row.insertCell();
    count.className = 'number';
    count.textContent = numberOf(used);
    row.prepend(head);
    return row;
  });
}
