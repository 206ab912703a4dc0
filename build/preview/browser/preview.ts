/**
 * The script of the preview's pages. The server sends the version of the content when it changes (server-sent events);
 * the script then reloads the page, whose scroll position the browser keeps.
 */
import { makeScrollersFocusable } from '../../site/browser/elements.ts';
import { send } from './send.ts';

/** A page that a link is about to replace is not reloaded: that would cancel the link. */
let isLeaving = false;
addEventListener('beforeunload', () => (isLeaving = true));
// Back from the next page.
addEventListener('pageshow', () => (isLeaving = false));

/** The student view is on for all pages of this window, until it is switched off. */
const viewKey = 'student-view';
const viewSwitch = document.querySelector<HTMLInputElement>('#student-view');

let stream: EventSource | undefined;

/** Hidden pages do not keep a connection: a browser allows six per server, and each page needs one. */
function connect(): void {
  if (document.hidden) {
    stream?.close();
    stream = undefined;
  } else if (!stream) {
    stream = new EventSource('/-/events');
    stream.addEventListener('message', ({ data }) => {
      if (data === document.documentElement.dataset['version']) showState('Reloads when you save.');
      else if (!isLeaving) location.reload();
    });
    stream.addEventListener('error', () =>
      showState('Not connected: is pastpaper preview still running?'),
    );
  }
}

/** Screen readers announce every change of this text, so none is made without need. */
function showState(text: string): void {
  const element = document.getElementById('live');
  if (element && element.textContent !== text) element.textContent = text;
}

if (viewSwitch) {
  viewSwitch.checked = sessionStorage.getItem(viewKey) === 'on';
  viewSwitch.addEventListener('change', () =>
    sessionStorage.setItem(viewKey, viewSwitch.checked ? 'on' : 'off'),
  );
}
/** What the buttons of a paper's questions change. */
const { path, base, token }: Readonly<Record<string, string>> = JSON.parse(
  document.getElementById('main')?.dataset['edit'] ?? '{}',
);

/** Changes the file, unless it has changed since the page was loaded; then the page is reloaded. */
async function change({ action = '', index: written }: DOMStringMap): Promise<void> {
  const index = Number(written);
  const to = action === 'up' ? index - 1 : index + 1;
  const isMove = action === 'up' || action === 'down';
  const number = (isMove || action === 'duplicate' ? to : Math.max(0, index - 1)) + 1;
  if (action === 'delete' && !confirm(`Delete question ${index + 1}?`)) return;
  const edit = { kind: isMove ? 'move' : action, list: 'questions', index, to };
  const { status, body } = await send(token ?? '', 'save', { path, base, edit });
  if (status === 409) alert(`${body.error} Try it again.`);
  else if (status !== 200) return alert(body.error);
  else location.hash = `question-${number}`;
  location.reload();
}

for (const button of document.querySelectorAll<HTMLElement>('[data-action]'))
  button.addEventListener('click', () => void change(button.dataset));
new ResizeObserver(makeScrollersFocusable).observe(document.body);
document.addEventListener('visibilitychange', connect);
connect();
