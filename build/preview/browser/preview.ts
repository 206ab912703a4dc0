/**
 * The script of the preview's pages. The server sends the version of the content when it changes (server-sent events);
 * the script then requests the page again and replaces what is shown, without moving the text that is being read.
 */

/** The version that the server sent last. */
let latest: string | undefined;
let isUpdating = false;
let stream: EventSource | undefined;

/** The page as the server sent it, to find out whether another differs. */
let shown = pageOf(document).innerHTML;

/** The first part of the page in the window, and its distance from the top of the window in CSS pixels. */
interface ReadingPosition {
  readonly id: string;
  readonly top: number;
}

/** Set while the page lacks the part that was being read: a later version may have it again. */
let lostPosition: ReadingPosition | undefined;

function pageOf(container: Document): Element {
  const page = container.getElementById('page');
  if (!page) throw new TypeError('This is not a page of the preview.');
  return page;
}

/** Requests the page again and replaces it if it differs. @returns whether it differs @throws TypeError when the server does not respond */
async function update(): Promise<boolean> {
  const response = await fetch(location.pathname, { cache: 'no-store' });
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  document.documentElement.dataset['version'] = next.documentElement.dataset['version'];
  const page = pageOf(next);
  if (page.innerHTML === shown) return false;
  shown = page.innerHTML;
  document.title = next.title;
  const position = lostPosition ?? readingPosition();
  pageOf(document).replaceChildren(...page.childNodes);
  makeScrollersFocusable();
  lostPosition = position && !scrollTo(position) ? position : undefined;
  return true;
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

/** Lets the keyboard reach texts that scroll sideways because a formula is wide, and no others. */
function makeScrollersFocusable(): void {
  for (const text of document.querySelectorAll('.stem, .value')) {
    if (text.scrollWidth > text.clientWidth) text.setAttribute('tabindex', '0');
    else text.removeAttribute('tabindex');
  }
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
    if (isChanged && isChecked && state) setStatus(`Updated at ${new Date().toLocaleTimeString()}. ${state}`);
    else if (!statusElement()?.textContent?.startsWith('Updated')) setStatus('Follows what you save.');
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
  setStatus('Not connected: is npm run preview still running?');
}

/** Changes the status only if it differs: screen readers announce every change. */
function setStatus(text: string): void {
  const element = statusElement();
  if (element && element.textContent !== text) element.textContent = text;
}

function statusElement(): HTMLElement | null {
  return document.getElementById('live');
}

new ResizeObserver(makeScrollersFocusable).observe(pageOf(document));
document.addEventListener('visibilitychange', connect);
connect();
