import { element, part, say, show } from '../../browser/elements.ts';
import { countOf } from '../../numbers.ts';
import type { Key } from './answers.ts';
import { comingOf, dateOf, distanceOf, momentOf } from './moments.ts';

/** What can be done with a live key. */
export interface KeyActions {
  rotate(key: Key): void;
  revoke(key: Key): void;
}

const states = { live: 'Live', expired: 'Expired', revoked: 'Revoked' } as const;

/** Shows the keys: those that work, and folded away those that do not any more. */
export function showKeys(keys: readonly Key[], actions: KeyActions): void {
  const now = Date.now();
  const live = keys.filter(({ state }) => state === 'live');
  const ended = keys.filter(({ state }) => state !== 'live');
  const row = (key: Key) => keyRow(key, now, actions);
  element('live-keys', HTMLUListElement).replaceChildren(...live.map(row));
  element('ended-keys', HTMLUListElement).replaceChildren(...ended.map(row));
  show('live-keys', live.length > 0);
  show('no-keys', live.length === 0);
  show('ended', ended.length > 0);
  say('ended-summary', `${countOf(ended.length, 'key')} expired or revoked`);
}

function keyRow(key: Key, now: number, actions: KeyActions): Node {
  const row = element('key-row', HTMLTemplateElement).content.cloneNode(true) as DocumentFragment;
  const text = (name: string, value: string) => {
    part(row, name, HTMLElement).textContent = value;
  };
  text('name', key.name);
  text('state', states[key.state]);
  text('start', `${key.start}…`);
  part(row, 'state', HTMLElement).classList.add(key.state);
  part(row, 'created', HTMLElement).append(moment(key.createdAt, dateOf(key.createdAt)));
  showEnd(row, key, now);
  part(row, 'last-used', HTMLElement).append(
    key.lastUsedAt === null ? 'Never' : moment(key.lastUsedAt, distanceOf(key.lastUsedAt, now)),
  );
  if (key.state === 'live') prepareActions(row, key, actions);
  else part(row, 'actions', HTMLElement).remove();
  return row;
}

function showEnd(row: ParentNode, { revokedAt, expiresAt, state }: Key, now: number): void {
  const name = part(row, 'end-name', HTMLElement);
  const end = part(row, 'end', HTMLElement);
  if (revokedAt !== null) {
    name.textContent = 'Revoked';
    end.append(moment(revokedAt, dateOf(revokedAt)));
    return;
  }
  name.textContent = state === 'expired' ? 'Expired' : 'Expires';
  if (expiresAt === null) end.append('Never');
  else end.append(moment(expiresAt, state === 'expired' ? dateOf(expiresAt) : comingOf(expiresAt, now)));
}

function prepareActions(row: ParentNode, key: Key, actions: KeyActions): void {
  for (const name of ['rotate', 'revoke'] as const) {
    const button = part(row, name, HTMLButtonElement);
    // Its successor is the one to rotate.
    button.hidden = name === 'rotate' && key.replacedBy !== null;
    button.setAttribute('aria-label', `${button.textContent} ${key.name}`);
    button.addEventListener('click', () => actions[name](key));
  }
}

/** A moment in short, with the whole of it for who points at it. */
function moment(iso: string, text: string): HTMLTimeElement {
  const time = document.createElement('time');
  time.dateTime = iso;
  time.title = momentOf(iso);
  time.textContent = text;
  return time;
}
