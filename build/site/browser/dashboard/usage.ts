/** The usage of a month: the share of the quota, a chart of its days, and tables of its keys and days. */
import { count, formatNumber } from '../../../report/wording.ts';
import { create, element, setText, show } from '../elements.ts';
import type { Account, Counts, Usage } from './api.ts';
import { daysIn, monthOf, relativeTimeOf, utcDateOf } from './texts.ts';

/** The share of the quota from which the progress bar shows a warning. */
const warningShare = 0.8;

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
  const progress = element('used-share', HTMLProgressElement);
  progress.max = plan.perMonth;
  progress.value = Math.min(used, plan.perMonth);
  progress.classList.toggle('short', used >= plan.perMonth * warningShare);
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
  showBars(usage);
  element('usage-keys').replaceChildren();
  addUsageOfKeys(usage);
  element('days').replaceChildren(
    ...usage.days.map((counts) => countsRow([utcDateOf(counts.day)], counts)),
  );
}

/** Adds a page of keys to the table. */
export function addUsageOfKeys({ keys, hasMore }: Usage): void {
  const rows = keys.map((counts) => countsRow(keyName(counts), counts));
  element('usage-keys').append(...rows);
  show('more-usage', hasMore);
}

/** The name of a key, with its first characters: after a rotation, two keys have the same name. */
function keyName({ name, start }: Usage['keys'][number]): (Node | string)[] {
  if (name === null) return ['Removed or unknown keys'];
  return [name, ' ', create('code', { className: 'faint', translate: false }, `${start}…`)];
}

function countsRow(name: readonly (Node | string)[], counts: Counts): HTMLTableRowElement {
  const numbers = [counts.used, counts.rejectedByRate, counts.rejectedByQuota];
  return create(
    'tr',
    {},
    create('th', { scope: 'row' }, ...name),
    ...numbers.map((number) => create('td', {}, formatNumber(number))),
  );
}

function rejectedOf({ rejectedByRate, rejectedByQuota }: Counts): number {
  return rejectedByRate + rejectedByQuota;
}

/** Shows a bar for each day of the month, in the day's column of the whole month. */
function showBars({ month, days }: Usage): void {
  const daysOfMonth = daysIn(month);
  const max = Math.max(0, ...days.map((day) => day.used + rejectedOf(day)));
  const bars = element('bars');
  bars.style.gridTemplateColumns = `repeat(${daysOfMonth}, 1fr)`;
  bars.setAttribute('aria-label', descriptionOf(month, days));
  bars.replaceChildren(...days.map((day) => bar(day, max)));
  setText('bars-max', formatNumber(max));
  setText('bars-end', String(daysOfMonth));
  show(
    'legend',
    days.some((day) => rejectedOf(day) > 0),
  );
}

/** A bar whose upper part is the share of rejected requests. */
function bar(day: Usage['days'][number], max: number): HTMLElement {
  const rejected = rejectedOf(day);
  const total = day.used + rejected;
  const ofRejected = rejected === 0 ? '' : `, ${formatNumber(rejected)} rejected`;
  const title = `${utcDateOf(day.day)}: ${count(day.used, 'request')}${ofRejected}`;
  const made = create('span', { title });
  made.style.height = total === 0 ? '0' : `max(2px, ${(100 * total) / max}%)`;
  made.style.setProperty('--rejected', `${total === 0 ? 0 : (100 * rejected) / total}%`);
  return made;
}

/** The bars in words, for screen readers. */
function descriptionOf(month: string, days: Usage['days']): string {
  const [busiest] = [...days].sort((one, other) => other.used - one.used);
  if (!busiest || busiest.used === 0) return `No accepted requests in ${monthOf(month)}.`;
  const maximum = `${formatNumber(busiest.used)}, on ${utcDateOf(busiest.day)}`;
  return `Requests by day in ${monthOf(month)}. The maximum is ${maximum}.`;
}
