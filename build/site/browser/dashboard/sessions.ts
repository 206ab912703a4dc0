/** The list of sessions. */
import { element, part } from '../elements.ts';
import type { Session } from './api.ts';
import { time } from './keys.ts';
import { relativeTimeOf, timeOf } from './texts.ts';

/** @param end ends a session; returns false if it could not */
export function showSessions(sessions: readonly Session[], end: (session: Session) => Promise<boolean>): void {
  const now = Date.now();
  const rows = sessions.map((session) => sessionRow(session, now, end));
  element('sessions', HTMLUListElement).replaceChildren(...rows);
}

/** The browser of a session in words. */
export function browserOf({ browser }: Session): string {
  return browser ?? 'Unknown browser';
}

function sessionRow(session: Session, now: number, end: (session: Session) => Promise<boolean>): Node {
  const row = element('session-row', HTMLTemplateElement).content.cloneNode(true) as DocumentFragment;
  part(row, 'browser', HTMLElement).textContent = browserOf(session);
  part(row, 'created', HTMLElement).append(time(session.createdAt, timeOf(session.createdAt)));
  const lastUsed = relativeTimeOf(session.lastUsedAt, now);
  part(row, 'last-used', HTMLElement).append(time(session.lastUsedAt, lastUsed));
  if (session.current) {
    // Signing out ends it.
    part(row, 'actions', HTMLElement).remove();
    return row;
  }
  part(row, 'current', HTMLElement).remove();
  const button = part(row, 'end', HTMLButtonElement);
  button.setAttribute('aria-label', `End the session in ${browserOf(session)}`);
  button.addEventListener('click', async () => {
    button.disabled = true;
    button.disabled = await end(session);
  });
  return row;
}
