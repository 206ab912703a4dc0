/** The list of keys, and the dialogs that rotate and revoke one. */
import { count, formatNumber } from '../../../report/wording.ts';
import { copyOf, create, element, part, setText, show } from '../elements.ts';
import type { Key, KeyPage } from './api.ts';
import { handleDialog } from './forms.ts';
import { dateOf, dateTimeOf, relativeTimeOf, upcomingDateOf } from './texts.ts';

/** Actions on a live key. */
type KeyActions = Readonly<Record<'rotate' | 'revoke', (key: Key) => void>>;

/** The text of each state's badge, and its classes. */
const stateBadges = {
  active: ['Active', 'badge good'],
  replaced: ['Replaced', 'badge warn'],
  expired: ['Expired', 'badge'],
  revoked: ['Revoked', 'badge bad'],
} as const;

/**
 * Shows the live keys and, collapsed, the expired and revoked ones; without any key, how to create the first one.
 *
 * @param requests of this month, by the ids of keys
 */
export function showKeys(
  { keys, hasMore }: KeyPage,
  requests: ReadonlyMap<string, number>,
  actions: KeyActions,
): void {
  const live = keys.filter(({ state }) => state === 'active');
  const ended = keys.filter(({ state }) => state !== 'active');
  const row = (key: Key) => keyRow(key, keys, requests.get(key.id) ?? 0, actions);
  element('live-keys').replaceChildren(...live.map(row));
  element('ended-keys').replaceChildren(...ended.map(row));
  show('keys', live.length > 0);
  show('no-keys', live.length === 0);
  setText('no-keys-title', keys.length === 0 ? 'Create your first key' : 'You have no active keys');
  show('ended', ended.length > 0);
  setText('ended-summary', `${count(ended.length, 'key')} expired or revoked`);
  show('more-keys', hasMore);
}

/** @param keys those of the account that are loaded, to name the key that one was rotated from or to */
function keyRow(key: Key, keys: readonly Key[], requests: number, actions: KeyActions): Node {
  const row = copyOf('key-row');
  const fill = (name: string, content: Node | string) => part(row, name).append(content);
  fill('name', key.name);
  const isReplaced = key.state === 'active' && key.replacedBy !== null;
  const [state, stateClasses] = stateBadges[isReplaced ? 'replaced' : key.state];
  fill('state', state);
  part(row, 'state').className = stateClasses;
  fill('start', `${key.start}…`);
  fill('created', time(key.createdAt, dateOf));
  fill('end', endOf(key));
  const { lastUsedAt } = key;
  fill('last-used', lastUsedAt === null ? 'Never' : time(lastUsedAt, relativeTimeOf));
  fill('requests', formatNumber(requests));
  const successor = keys.find(({ id }) => id === key.replacedBy);
  const relative = successor ?? keys.find(({ replacedBy }) => replacedBy === key.id);
  if (relative) fill('relation', `${successor ? 'by' : 'replaces'} ${relative.start}…`);
  if (key.state === 'active') enableActions(row, key, actions);
  else part(row, 'actions').remove();
  return row;
}

/** When a key ends or has ended. */
function endOf({ revokedAt, expiresAt }: Key): Node | string {
  const end = revokedAt ?? expiresAt;
  return end === null ? 'Never' : time(end, upcomingDateOf);
}

function enableActions(row: ParentNode, key: Key, actions: KeyActions): void {
  for (const name of ['rotate', 'revoke'] as const) {
    const button = part(row, name, HTMLButtonElement);
    // A rotated key cannot be rotated again, only its successor.
    button.hidden = name === 'rotate' && key.replacedBy !== null;
    const replaced = key.replacedBy === null ? '' : ', replaced';
    button.setAttribute('aria-label', `${button.textContent} ${key.name}${replaced}`);
    button.addEventListener('click', () => actions[name](key));
  }
}

/** A short date or time, with the full one in a tooltip. */
export function time(iso: string, textOf: (iso: string) => string): HTMLTimeElement {
  return create('time', { dateTime: iso, title: dateTimeOf(iso) }, textOf(iso));
}

/** A dialog about a key. The parameters are those of `handleDialog`. */
export function keyDialog<Response>(
  id: string,
  submit: (key: Key, fields: FormData) => Promise<Response>,
  onDone: (response: Response, key: Key) => Promise<void>,
): (key: Key) => void {
  const dialog = element(id, HTMLDialogElement);
  let current: Key;
  const open = handleDialog<Response>(
    id,
    (fields) => submit(current, fields),
    (response) => onDone(response, current),
  );
  return (key) => {
    current = key;
    part(dialog, 'name').textContent = key.name;
    for (const start of dialog.querySelectorAll('[data-part=start]'))
      start.textContent = `${key.start}…`;
    open();
  };
}

export function pathOf({ id }: Key): string {
  return `keys/${encodeURIComponent(id)}`;
}
