/** Where reading stands: a part of the page, and how far below the window's top it begins, in CSS pixels. */
export interface ReadingPlace {
  readonly id: string;
  readonly top: number;
}

/** Parts of a page that are the same ones after a change. */
const parts = 'article[id], details[id]';

/** The first part of the page that is in sight; undefined where the page is at its top. */
export function readingPlace(): ReadingPlace | undefined {
  if (scrollY === 0) return undefined;
  for (const part of document.querySelectorAll(parts)) {
    const { top, bottom } = part.getBoundingClientRect();
    if (bottom > 0) return { id: part.id, top };
  }
  return undefined;
}

/**
 * Scrolls so that a part is where it was.
 *
 * @returns false when the page does not have it
 */
export function returnTo({ id, top }: ReadingPlace): boolean {
  const part = document.getElementById(id);
  if (!part) return false;
  scrollBy({ top: part.getBoundingClientRect().top - top, behavior: 'instant' });
  return true;
}
