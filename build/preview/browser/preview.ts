/**
 * The script of the preview's pages. The server sends the version of the content when it changes (server-sent events);
 * the script then requests the page again and replaces the parts that differ, so that the others keep their focus and
 * unfolded lines, and the text that is being read stays in place.
 */
import { makeScrollersFocusable } from '../../site/browser/elements.ts';

/** The version that the server sent last. */
let latest: string | undefined;
let isUpdating = false;
let stream: EventSource | undefined;

/** The parts of the page as the server sent them. */
let shown = htmlOf(mainOf(document));

/** The first part of the page in the window, and its distance from the top of the window in CSS pixels. */
interface ReadingPosition {
  readonly id: string;
  readonly top: number;
}

/** Set while the page lacks the part that was being read: a later version may have it again. */
let lostPosition: ReadingPosition | undefined;

function mainOf(page: Document): Element {
  const main = page.querySelector('main');
  if (!main) throw new TypeError('This is not a page of the preview.');
  return main;
}

function htmlOf(main: Element): string[] {
  return Array.from(main.children, ({ outerHTML }) => outerHTML);
}

/** Requests the page again. @returns whether it differs @throws TypeError when the server does not respond */
async function update(): Promise<boolean> {
  const response = await fetch(location.pathname, { cache: 'no-store' });
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  document.documentElement.dataset['version'] = next.documentElement.dataset['version'];
  document.title = next.title;
  setText('warning', next.getElementById('warning')?.textContent ?? '');
  const position = lostPosition ?? readingPosition();
  const isChanged = replaceChanged([...mainOf(next).children], htmlOf(mainOf(next)));
  makeScrollersFocusable();
  lostPosition = position && !scrollTo(position) ? position : undefined;
  return isChanged;
}

function replaceChanged(parts: readonly Element[], html: string[]): boolean {
  const main = mainOf(document);
  const changed = [...html.keys()].filter((index) => html[index] !== shown[index]);
  const isSameLength = html.length === shown.length;
  const unfolded = Array.from(main.querySelectorAll('details[id][open]'), ({ id }) => id);
  if (!isSameLength) main.replaceChildren(...parts);
  else for (const index of changed) main.children[index]?.replaceWith(parts[index] ?? '');
  for (const id of unfolded) document.getElementById(id)?.setAttribute('open', '');
  shown = html;
  restoreView();
  return changed.length > 0 || !isSameLength;
}

function readingPosition(): ReadingPosition | undefined {
  if (scrollY === 0) return undefined;
  for (const part of document.querySelectorAll('article[id], details[id]')) {
    const { top, bottom } = part.getBoundingClientRect();
    if (bottom > 0) return { id: part.id, top };
  }
  return undefined;
}

/** Scrolls a part of the page to where it was. @returns whether the page has it */
function scrollTo({ id, top }: ReadingPosition): boolean {
  const part = document.getElementById(id);
  if (part) scrollBy({ top: part.getBoundingClientRect().top - top, behavior: 'instant' });
  return part !== null;
}

/** The student view is on for all pages of this window, until it is switched off. */
const viewKey = 'student-view';

function viewSwitch(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('#student-view');
}

function restoreView(): void {
  const box = viewSwitch();
  if (box) box.checked = sessionStorage.getItem(viewKey) === 'on';
}

/** Brings the page to a version of the content, and to those that come meanwhile. */
async function follow(version: string): Promise<void> {
  latest = version;
  if (isUpdating) return;
  isUpdating = true;
  try {
    let isChanged = false;
    let requested = document.documentElement.dataset['version'];
    while (requested !== latest) {
      requested = latest;
      if (await update()) isChanged = true;
    }
    const isChecked = !document.querySelector('[data-part="progress"]');
    const state = document.querySelector('[data-part="state"]')?.textContent;
    if (isChanged && isChecked && state)
      setText('live', `Updated at ${new Date().toLocaleTimeString()}. ${state}`);
    else if (!document.getElementById('live')?.textContent?.startsWith('Updated'))
      setText('live', 'Reloads when you save.');
  } catch {
    setDisconnected();
  } finally {
    isUpdating = false;
  }
}

/** Hidden pages do not keep a connection: a browser allows six per server, and each page needs one. */
function connect(): void {
  if (document.hidden) {
    stream?.close();
    stream = undefined;
  } else if (!stream) {
    stream = new EventSource('/-/events');
    stream.addEventListener('message', ({ data }) => void follow(data));
    stream.addEventListener('error', setDisconnected);
  }
}

function setDisconnected(): void {
  setText('live', 'Not connected: is pastpaper preview still running?');
}

/** Screen readers announce every change of these texts, so none is made without need. */
function setText(id: 'live' | 'warning', text: string): void {
  const element = document.getElementById(id);
  if (element && element.textContent !== text) element.textContent = text;
}

document.addEventListener('change', ({ target }) => {
  if (target === viewSwitch())
    sessionStorage.setItem(viewKey, viewSwitch()?.checked ? 'on' : 'off');
});
restoreView();
new ResizeObserver(makeScrollersFocusable).observe(mainOf(document));
document.addEventListener('visibilitychange', connect);
connect();
