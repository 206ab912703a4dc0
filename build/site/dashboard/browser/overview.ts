import { element, say, show } from '../../browser/elements.ts';
import { announce } from '../../browser/status.ts';
import { numberOf } from '../../numbers.ts';
import { leaveFor, pages, reloadWhenBroughtBack, takeParameters } from './addresses.ts';
import type { Account, Key, NewKey, Settings } from './answers.ts';
import { ask, isSignedOut, Refusal, sentenceOf } from './api.ts';
import { revokeDialog, rotateDialog } from './key-dialogs.ts';
import { showKeys } from './key-list.ts';
import { prepareMakeKey } from './make-key.ts';
import { forgetNewKey, prepareNewKey, showNewKey } from './new-key.ts';
import { askSignedIn } from './session.ts';
import { loadOrTell } from './trouble.ts';
import { showUsage } from './usage.ts';

/** Where the API is asked, until the service has told. */
let apiUrl = location.origin;

const rotate = rotateDialog(async (made, before) => {
  present(made, `“${before.name}” has a new key`);
  await reloadKeys();
});
const revoke = revokeDialog(async (key) => {
  forgetNewKey();
  await reloadKeys();
  // The button that had the focus is gone with the key.
  element('keys-title', HTMLElement).focus();
  announce(`“${key.name}” is revoked.`);
});

async function load(): Promise<void> {
  show('loading', true);
  try {
    const [account, settings, { keys }] = await Promise.all([
      ask<Account>('GET', 'account'),
      ask<Settings>('GET', 'settings'),
      ask<{ keys: Key[] }>('GET', 'keys'),
    ]);
    apiUrl = settings.apiUrl ?? location.origin;
    showAccount(account);
    showKeys(keys, { rotate, revoke });
    show('content', true);
  } catch (error) {
    if (isSignedOut(error)) return leaveFor(signInPage());
    // Who is refused, as a blocked account is, can still sign out.
    show('account', error instanceof Refusal);
    throw error;
  } finally {
    show('loading', false);
  }
}

async function reloadKeys(): Promise<void> {
  const { keys } = await askSignedIn<{ keys: Key[] }>('GET', 'keys');
  showKeys(keys, { rotate, revoke });
}

function showAccount(account: Account): void {
  const { email, plan } = account;
  say('address', email);
  show('account', true);
  say(
    'limits',
    `The ${plan.name} plan has ${numberOf(plan.perSecond)} requests in any second and ` +
      `${numberOf(plan.perMonth)} a month, over all keys.`,
  );
  showUsage(account);
}

function present(made: NewKey, title: string): void {
  showNewKey(made, title, apiUrl.replace(/\/$/, '') + element('main', HTMLElement).dataset['example']);
}

/** A link from a mail that failed comes back to this page: why is for the page that it leads on to. */
function signInPage(): string {
  return failure === null ? pages.signIn : `${pages.signIn}?error=${encodeURIComponent(failure)}`;
}

function prepareSignOut(): void {
  element('sign-out', HTMLButtonElement).addEventListener('click', async () => {
    try {
      await ask('POST', 'sign-out', {});
      leaveFor(pages.signIn);
    } catch (error) {
      announce(sentenceOf(error));
    }
  });
}

const failure = takeParameters().get('error');
reloadWhenBroughtBack();
prepareSignOut();
prepareNewKey();
prepareMakeKey(async (made) => {
  present(made, `“${made.name}” is ready`);
  await reloadKeys();
});
await loadOrTell(load);
