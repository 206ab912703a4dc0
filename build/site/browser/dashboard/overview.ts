import { planLimits } from '../../text.ts';
import { announce, element, setText, show } from '../elements.ts';
import {
  type Account,
  type Key,
  type KeyPage,
  messageOf,
  type NewKey,
  request,
  type Settings,
} from './api.ts';
import { onPress, textOf } from './forms.ts';
import { keyDialog, pathOf, showKeys } from './keys.ts';
import { enableCreateKey, enableNewKey, showNewKey } from './new-key.ts';
import { loadSignedIn, requestSignedIn } from './page.ts';
import { offerMonths, showUsage } from './usage.ts';

/** Origin of the API; the service may name another one. */
let apiUrl = location.origin;
/** Requests of this month, by the ids of keys. */
let requests: ReadonlyMap<string, number> = new Map();
let shownKeys: KeyPage = { keys: [], hasMore: false };
/** The number of the last page of keys that is shown. */
let page = 1;

const rotate = keyDialog('rotate', rotateKey, async (newKey, oldKey) => {
  present(newKey, `“${oldKey.name}” has a new key`);
  await reloadKeys();
});
const revoke = keyDialog('revoke', revokeKey, async (key) => {
  await reloadKeys();
  // The button that had the focus was removed with the key.
  element('keys-title').focus();
  announce(`“${key.name}” is revoked.`);
});

function rotateKey(key: Key, fields: FormData): Promise<NewKey> {
  return requestSignedIn('POST', `${pathOf(key)}/rotate`, {
    overlap: Number(textOf(fields, 'overlap')),
  });
}

function revokeKey(key: Key): Promise<Key> {
  return requestSignedIn('DELETE', pathOf(key));
}

async function load(): Promise<Account> {
  const [account, settings, found] = await Promise.all([
    request<Account>('GET', 'account'),
    request<Settings>('GET', 'settings'),
    request<KeyPage>('GET', 'keys'),
  ]);
  apiUrl = settings.apiUrl ?? location.origin;
  requests = new Map(account.usage.keys.map(({ id, used }) => [id, used]));
  showPage(found);
  showLimits(account);
  offerMonths(account, showMonth);
  showUsage(account);
  onPress(element('more-keys', HTMLButtonElement), addKeys);
  return account;
}

function showPage(found: KeyPage): void {
  shownKeys = found;
  showKeys(shownKeys, requests, { rotate, revoke });
}

async function reloadKeys(): Promise<void> {
  page = 1;
  showPage(await requestSignedIn<KeyPage>('GET', 'keys'));
}

/** Adds the next page. A key that was created meanwhile moves one to it that is already shown. */
async function addKeys(): Promise<void> {
  const { keys, hasMore } = await requestSignedIn<KeyPage>('GET', `keys?page=${page + 1}`);
  page += 1;
  const added = keys.filter(({ id }) => !shownKeys.keys.some((shown) => shown.id === id));
  showPage({ keys: [...shownKeys.keys, ...added], hasMore });
}

async function showMonth(month: string): Promise<void> {
  try {
    showUsage(await requestSignedIn<Account>('GET', `account?month=${month}`));
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
  showNewKey(newKey, title, apiUrl.replace(/\/$/, '') + element('main').dataset['example']);
}

enableNewKey();
enableCreateKey(async (newKey) => {
  present(newKey, `“${newKey.name}” is ready`);
  await reloadKeys();
});
await loadSignedIn(load);
