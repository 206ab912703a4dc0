import { count } from '../../../report/wording.ts';
import { announce, copyOf, element, part, setText, show } from '../elements.ts';
import { type Account, type Key, messageOf, request, type Session, type Settings } from './api.ts';
import { handleDialog, handleForm, limitPassword, onPress, textOf } from './forms.ts';
import { time } from './keys.ts';
import { loadSignedIn, pages, requestSignedIn } from './page.ts';
import { dateOf, relativeTimeOf, timeOf } from './texts.ts';

async function load(): Promise<Account> {
  const [account, settings, { keys }, { sessions }] = await Promise.all([
    request<Account>('GET', 'account'),
    request<Settings>('GET', 'settings'),
    request<{ keys: Key[] }>('GET', 'keys'),
    request<{ sessions: Session[] }>('GET', 'sessions'),
  ]);
  setText('email', account.email);
  setText('account-plan', account.plan.name);
  setText('since', dateOf(account.createdAt));
  show('change-password', account.password);
  show('no-password', !account.password);
  limitPassword(settings.password);
  show('emails', settings.mail);
  quotaMail.checked = account.quotaMail;
  showSessions(sessions);
  setText(
    'deleted-keys',
    count(keys.filter(({ state }) => state === 'active').length, 'active key'),
  );
  showDeletion(account);
  return account;
}

async function reloadSessions(): Promise<void> {
  const { sessions } = await requestSignedIn<{ sessions: Session[] }>('GET', 'sessions');
  showSessions(sessions);
}

function showSessions(sessions: readonly Session[]): void {
  element('sessions').replaceChildren(...sessions.map(sessionRow));
}

/** The browser of a session in words. */
function browserOf({ browser }: Session): string {
  return browser ?? 'Unknown browser';
}

function sessionRow(session: Session): Node {
  const row = copyOf('session-row');
  part(row, 'browser').textContent = browserOf(session);
  part(row, 'created').append(time(session.createdAt, timeOf));
  part(row, 'last-used').append(time(session.lastUsedAt, relativeTimeOf));
  // Signing out ends the current session.
  part(row, session.current ? 'end' : 'current').remove();
  if (session.current) return row;
  const button = part(row, 'end', HTMLButtonElement);
  button.setAttribute('aria-label', `End the session in ${browserOf(session)}`);
  onPress(button, () => endSession(session));
  return row;
}

async function endSession(ended: Session): Promise<void> {
  await requestSignedIn('DELETE', `sessions/${encodeURIComponent(ended.id)}`);
  await reloadSessions();
  // The button that had the focus was removed with the session.
  element('sessions-title').focus();
  announce(`The session in ${browserOf(ended)} has ended.`);
}

/** A hidden field must not be required. */
function showDeletion({ email, password }: Account): void {
  part(element('delete'), 'email').textContent = email;
  show('delete-password-field', password);
  element('delete-password', HTMLInputElement).disabled = !password;
}

const quotaMail = element('quota-mail', HTMLInputElement);
const form = element('form', HTMLFormElement);
handleForm(form, async (fields) => {
  await requestSignedIn('POST', 'change-password', {
    currentPassword: textOf(fields, 'current-password'),
    newPassword: textOf(fields, 'password'),
  });
  form.reset();
  announce('Your password has changed.');
  await reloadSessions();
});
quotaMail.addEventListener('change', async () => {
  try {
    await requestSignedIn('POST', 'account', { quotaMail: quotaMail.checked });
    announce('Saved.');
  } catch (error) {
    quotaMail.checked = !quotaMail.checked;
    announce(messageOf(error));
  }
});
const openDelete = handleDialog(
  'delete',
  (fields) => requestSignedIn('DELETE', 'account', { password: textOf(fields, 'delete-password') }),
  async () => location.replace(pages.signIn),
);
element('open-delete').addEventListener('click', openDelete);
await loadSignedIn(load);
