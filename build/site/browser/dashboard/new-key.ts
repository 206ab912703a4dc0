/** The form that creates a key, and the section that shows a new key once. */
import { copyText, element, setText } from '../elements.ts';
import type { NewKey } from './api.ts';
import { handleDialog, textOf } from './forms.ts';
import { requestSignedIn } from './page.ts';

/** Seconds. */
const day = 86_400;

/** Enables the dialog that creates a key. @param onCreated is called with each new key */
export function enableCreateKey(onCreated: (key: NewKey) => Promise<void>): void {
  const open = handleDialog(
    'create',
    (fields) =>
      requestSignedIn<NewKey>('POST', 'keys', {
        name: textOf(fields, 'name').trim(),
        expiresIn: lifetimeOf(fields),
      }),
    onCreated,
  );
  element('new').addEventListener('click', open);
}

/** The requested lifetime in seconds; null: the key does not expire. */
function lifetimeOf(fields: FormData): number | null {
  const choice = textOf(fields, 'expiry');
  return choice === 'never' ? null : Number(choice) * day;
}

/** Enables the dialog that shows a new key. */
export function enableNewKey(): void {
  const dialog = element('new-key', HTMLDialogElement);
  const copied = [
    ['copy-key', 'new-key-text', 'Key'],
    ['copy-curl', 'new-key-curl', 'Request'],
  ] as const;
  for (const [button, source, name] of copied)
    element(button).addEventListener('click', () => copyText(element(source), name, 'copied'));
  element('new-key-done').addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    hideNewKey();
    element('keys-title').focus();
  });
  // The browser may restore a page from its back/forward cache.
  addEventListener('pagehide', () => dialog.close());
}

/** Shows a new key with a request to try it. @param url of a resource that requires a key */
export function showNewKey({ key }: NewKey, title: string, url: string): void {
  setText('new-key-title', title);
  setText('new-key-text', key);
  setText('new-key-curl', `curl -H "Authorization: Bearer ${key}" ${url}`);
  element('new-key', HTMLDialogElement).showModal();
  element('new-key-title').focus();
}

/** Removes the shown key from the page. */
function hideNewKey(): void {
  for (const id of ['new-key-text', 'new-key-curl', 'copied']) setText(id, '');
}
