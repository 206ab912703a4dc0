import { numberOf } from '../../text.ts';
import { announce, element, setText, show } from '../elements.ts';
import {
  type Account,
  hasStatus,
  type Key,
  messageOf,
  type NewKey,
  request,
  type Session,
  type Settings,
} from './api.ts';
import { revokeDialog, rotateDialog, showKeys } from './keys.ts';
import { enableCreateKey, enableNewKey, hideNewKey, showNewKey } from './new-key.ts';
import { loadPage, pages, redirectTo, requestSignedIn, takeParameters } from './page.ts';
import { browserOf, showSessions } from './sessions.ts';
import { showUsage } from './usage.ts';

/** Origin of the API; the service may name another one. */
let apiUrl = location.origin;

/** Error of an email link, which leads here first. The sign-in page shows it. */
const returnError = takeParameters().get('error');

const rotate = rotateDialog(async (newKey, oldKey) => {
  present(newKey, `“${oldKey.name}” has a new key`);
  await reloadKeys();
});
const revoke = revokeDialog(async (key) => {
  hideNewKey();
  await reloadKeys();
  // The button that had the focus was removed with the key.
  element('keys-title', HTMLElement).focus();
  announce(`“${key.name}” is revoked.`);
});

async function load(): Promise<void> {
  show('loading', true);
  try {
    const [account, settings, { keys }, { sessions }] = await Promise.all([
      request<Account>('GET', 'account'),
      request<Settings>('GET', 'settings'),
      request<{ keys: Key[] }>('GET', 'keys'),
      request<{ sessions: Session[] }>('GET', 'sessions'),
    ]);
    apiUrl = settings.apiUrl ?? location.origin;
    showAccount(account);
    showKeys(keys, { rotate, revoke });
    showSessions(sessions, endSession);
    show('content', true);
  } catch (error) {
    if (hasStatus(error, 401)) {
      const query = returnError === null ? '' : `?error=${encodeURIComponent(returnError)}`;
      return redirectTo(pages.signIn + query);
    }
    // Users of a blocked account can still sign out.
    show('account', hasStatus(error, 403));
    throw error;
  } finally {
    show('loading', false);
  }
}

async function reloadKeys(): Promise<void> {
  const { keys } = await requestSignedIn<{ keys: Key[] }>('GET', 'keys');
  showKeys(keys, { rotate, revoke });
}

async function endSession(ended: Session): Promise<boolean> {
  try {
    await requestSignedIn('DELETE', `sessions/${encodeURIComponent(ended.id)}`);
    const { sessions } = await requestSignedIn<{ sessions: Session[] }>('GET', 'sessions');
    showSessions(sessions, endSession);
    // The button that had the focus was removed with the session.
    element('sessions-title', HTMLElement).focus();
    announce(`The session in ${browserOf(ended)} has ended.`);
    return true;
  } catch (error) {
    announce(messageOf(error));
    return false;
  }
}

function showAccount(account: Account): void {
  const { email, plan } = account;
  setText('address', email);
  show('account', true);
  setText(
    'limits',
    `The ${plan.name} plan allows ${numberOf(plan.perSecond)} requests per second and ` +
      `${numberOf(plan.perMonth)} per month. Limits apply per account; extra keys do not raise them.`,
  );
  showUsage(account);
}

function present(newKey: NewKey, title: string): void {
  showNewKey(newKey, title, apiUrl.replace(/\/$/, '') + element('main', HTMLElement).dataset['example']);
}

element('sign-out', HTMLButtonElement).addEventListener('click', async () => {
  try {
    await request('POST', 'sign-out', {});
    redirectTo(pages.signIn);
  } catch (error) {
    announce(messageOf(error));
  }
});
// When the browser restores the page from its back/forward cache, somebody else may be signed in.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
enableNewKey();
enableCreateKey(async (newKey) => {
  present(newKey, `“${newKey.name}” is ready`);
  await reloadKeys();
});
await loadPage(load);
