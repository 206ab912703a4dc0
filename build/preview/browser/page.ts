import { Idiomorph } from 'idiomorph';
import { type ReadingPlace, readingPlace, returnTo } from './reading-place.ts';
import { reachScrollable } from './scrollable.ts';

/** Keeps within reach of the keyboard what scrolls at the width that the page has. */
export function followWidth(): void {
  new ResizeObserver(() => reachScrollable(pageOf(document))).observe(pageOf(document));
}

/** Of a page that lost the part at which reading stood: it may come back with the next change. */
let lost: ReadingPlace | undefined;

/** The version of the content that the page shows. */
export function shownVersion(): string | undefined {
  return document.documentElement.dataset['version'];
}

/** How things stand with what the page shows, in words; undefined while that is still being found out. */
export function state(): string | undefined {
  return document.querySelector('[data-part="progress"]')
    ? undefined
    : document.querySelector('[data-part="state"]')?.textContent;
}

/**
 * Asks for this page again and takes over what is different in it: what has the focus, is selected or unfolded
 * stays, and reading goes on where it was.
 *
 * @returns whether anything is different
 * @throws TypeError when the server does not answer
 */
export async function renew(): Promise<boolean> {
  const response = await fetch(location.pathname, { cache: 'no-store' });
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  document.documentElement.dataset['version'] = next.documentElement.dataset['version'];
  document.title = next.title;
  return takeOver(pageOf(document), pageOf(next));
}

function takeOver(page: Element, next: Element): boolean {
  const before = page.innerHTML;
  const place = lost ?? readingPlace();
  Idiomorph.morph(page, next, { callbacks: { beforeAttributeUpdated: (name) => name !== 'open' } });
  reachScrollable(page);
  lost = place && !returnTo(place) ? place : undefined;
  return page.innerHTML !== before;
}

function pageOf(whole: Document): Element {
  const page = whole.getElementById('page');
  if (!page) throw new TypeError('This is no page of the preview.');
  return page;
}
