/** The list of keys, and the dialogs that rotate and revoke one. */
import { count } from '../../../report/wording.ts';
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

/** Shows the live keys and, collapsed, the expired and revoked ones; without any key, how to create the first one. */
export function showKeys({ keys, hasMore }: KeyPage, actions: KeyActions): void {
  const live = keys.filter(({ state }) => state === 'active');
  const ended = keys.filter(({ state }) => state !== 'active');
  const row = (key: Key) => keyRow(key, keys, actions);
  element('live-keys').replaceChildren(...live.map(row));
  element('ended-keys').replaceChildren(...ended.map(row));
  show('live-keys', live.length > 0);
  show('no-keys', live.length === 0);
  show('keys', keys.length > 0);
  show('first-steps', keys.length === 0);
  setText('create-title', keys.length === 0 ? 'Create your first key' : 'Create a key');
  show('ended', ended.length > 0);
  setText('ended-summary', `${count(ended.length, 'key')} expired or revoked`);
  show('more-keys', hasMore);
}

/** @param keys those of the account that are loaded, to name the key that one was rotated from or to */
function keyRow(key: Key, keys: readonly Key[], actions: KeyActions): Node {
  const row = copyOf('key-row');
  const fill = (name: string, content: Node | string) => part(row, name).append(content);
  fill('name', key.name);
  const isReplaced = key.state === 'active' && key.replacedBy !== null;
  const [state, stateClasses] = stateBadges[isReplaced ? 'replaced' : key.state];
  fill('state', state);
  part(row, 'state').className = stateClasses;
  fill('start', `${key.start}…`);
  fill('created', time(key.createdAt, dateOf));
  const [endName, end] = endOf(key);
  fill('end-name', endName);
  fill('end', end);
  const { lastUsedAt } = key;
  fill('last-used', lastUsedAt === null ? 'Never' : time(lastUsedAt, relativeTimeOf));
  const successor = keys.find(({ id }) => id === key.replacedBy);
  const relative = successor ?? keys.find(({ replacedBy }) => replacedBy === key.id);
  if (relative) {
    fill('relation-name', successor ? 'Replaced by' : 'Replaces');
    fill('relation-key', `${relative.start}…`);
  } else part(row, 'relation').remove();
  if (key.state === 'active') enableActions(row, key, actions);
  else part(row, 'actions').remove();
  return row;
}

/** When a key ends or has ended, with the name of that date. */
function endOf({
  revokedAt,
  expiresAt,
  state,
  replacedBy,
}: Key): [name: string, date: Node | string] {
  if (revokedAt !== null) return ['Revoked', time(revokedAt, dateOf)];
  if (expiresAt === null) return ['Expires', 'Never'];
  if (state === 'expired') return ['Expired', time(expiresAt, dateOf)];
  return [replacedBy === null ? 'Expires' : 'Works until', time(expiresAt, upcomingDateOf)];
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
