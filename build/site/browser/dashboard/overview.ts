import { planLimits } from '../../text.ts';
import { announce, element, setText, show } from '../elements.ts';
import { type Account, type Key, messageOf, type NewKey, request, type Settings } from './api.ts';
import { revokeDialog, rotateDialog, showKeys } from './keys.ts';
import { enableCreateKey, enableNewKey, hideNewKey, showNewKey } from './new-key.ts';
import { requestSignedIn } from './page.ts';
import { loadSignedIn } from './signed-in.ts';
import { offerMonths, showUsage } from './usage.ts';

/** Origin of the API; the service may name another one. */
let apiUrl = location.origin;
let keys: readonly Key[] = [];

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

async function load(): Promise<Account> {
  const [account, settings, found] = await Promise.all([
    request<Account>('GET', 'account'),
    request<Settings>('GET', 'settings'),
    request<{ keys: Key[] }>('GET', 'keys'),
  ]);
  apiUrl = settings.apiUrl ?? location.origin;
  keys = found.keys;
  showKeys(keys, { rotate, revoke });
  showLimits(account);
  offerMonths(account, showMonth);
  showUsage(account, keys);
  return account;
}

async function reloadKeys(): Promise<void> {
  ({ keys } = await requestSignedIn<{ keys: Key[] }>('GET', 'keys'));
  showKeys(keys, { rotate, revoke });
}

async function showMonth(month: string): Promise<void> {
  try {
    showUsage(await requestSignedIn<Account>('GET', `account?month=${month}`), keys);
  } catch (error) {
    announce(messageOf(error));
  }
}

function showLimits({ plan, usage }: Account): void {
  const limits = planLimits({ [plan.name]: plan });
  setText('limits', `${limits} Limits apply per account; extra keys do not raise them.`);
  const isSpent = usage.used >= plan.perMonth;
  show('over-rate', !isSpent);
  show('over-quota', isSpent);
  const seconds = String(Math.ceil((Date.parse(usage.resetAt) - Date.now()) / 1000));
  for (const part of document.querySelectorAll('[data-part=seconds]')) part.textContent = seconds;
}

function present(newKey: NewKey, title: string): void {
  showNewKey(newKey, title, apiUrl.replace(/\/$/, '') + element('main', HTMLElement).dataset['example']);
}

enableNewKey();
enableCreateKey(async (newKey) => {
  present(newKey, `“${newKey.name}” is ready`);
  await reloadKeys();
});
await loadSignedIn(load);
