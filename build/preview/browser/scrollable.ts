/** Parts that scroll when a formula is wider than they are. */
const parts = '.stem, .value';

/** Lets the keyboard reach those parts of a page that scroll sideways, and only those. */
export function reachScrollable(page: Element): void {
  for (const part of page.querySelectorAll(parts)) {
    if (part.scrollWidth > part.clientWidth) part.setAttribute('tabindex', '0');
    else part.removeAttribute('tabindex');
  }
}
