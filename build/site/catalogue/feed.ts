/**
 * The changes of the latest releases as a JSON Feed (https://www.jsonfeed.org/version/1.1/). A build whose content
 * differs from the last release adds an item; any other build keeps the items. An item depends only on the two contents
 * and the items before it, so that the same inputs always give the same bytes. Its date is that of the newest paper.
 */
import { hash } from 'node:crypto';
import type { CompiledExam } from '../../compile/exams.ts';
import type { Bank } from '../../release/bank.ts';
import { count, formatNumber } from '../../report/wording.ts';
import { type Html, html } from '../html.ts';
import {
  type Changes,
  changedYears,
  countsByKind,
  maxListed,
  type ShiftChange,
} from './changes.ts';

/** URL path of the feed. */
export const feedPath = 'docs/catalogue/feed.json';

/** The version of the format; the last release may have another. */
export const feedVersion = 'https://jsonfeed.org/version/1.1';

export type Feed = ReturnType<typeof feedOf>;

/** The changes of a release. */
export interface FeedItem {
  readonly id: string;
  readonly title: string;
  readonly content_html: string;
  /** RFC 3339, UTC. */
  readonly date_published: string;
}

/** With more items, the oldest are removed. */
const maxItems = 50;

/** Adds an item to those of the last release. @param last newest first; so is the result */
export function itemsWith(
  last: readonly FeedItem[],
  changes: Changes,
  exams: readonly CompiledExam[],
): FeedItem[] {
  const { shifts } = changes;
  const labelOf = (code: string) =>
    exams.find(({ resource }) => resource.exam === code)?.resource.label ?? code;
  const lines =
    shifts.length > maxListed
      ? changedYears(shifts).map(
          ({ exam, year, changes }) =>
            html`<li>${labelOf(exam)} ${year}: ${countsByKind(changes)}</li>`,
        )
      : shifts.map((change) => html`<li>${labelOf(change.exam)} ${shiftLine(change)}</li>`);
  const item = {
    title: `Shifts: ${countsByKind(shifts)}`,
    content_html: html`<ul>${lines}</ul>`.text,
    date_published: newestUpdate(exams),
  };
  // The same change can occur twice.
  const id = hash('sha256', JSON.stringify([changes, item, last[0]?.id])).slice(0, 16);
  return [{ id, ...item }, ...last].slice(0, maxItems);
}

function shiftLine({ shift, change, before, after }: ShiftChange): Html {
  const state = after ?? before;
  const was =
    before && after && before.total !== after.total ? `, was ${formatNumber(before.total)}` : '';
  return html`${shift}: ${change}, ${count(state?.total ?? 0, 'question')}${was}`;
}

function newestUpdate(exams: readonly CompiledExam[]): string {
  const papers = exams.flatMap(({ years }) =>
    years.flatMap(({ shifts }) => shifts.flatMap((one) => one.papers)),
  );
  return new Date(
    papers.reduce((newest, { lastUpdated }) => Math.max(newest, Date.parse(lastUpdated)), 0),
  ).toISOString();
}

/** The feed of a bank. Without a public URL, it has no addresses: JSON Feed requires absolute ones. */
export function feedOf({ name, publicUrl }: Bank, items: readonly FeedItem[]) {
  return {
    version: feedVersion,
    title: `${name}: changes`,
    description: 'Shifts that releases added, changed and removed.',
    language: 'en',
    home_page_url: publicUrl && `${publicUrl}/docs/catalogue/`,
    feed_url: publicUrl && `${publicUrl}/${feedPath}`,
    items,
  };
}
