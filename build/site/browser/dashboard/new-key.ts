/** The form that creates a key, and the section that shows a new key once. */
import { copyText, element, setText, show } from '../elements.ts';
import type { NewKey } from './api.ts';
import { handleForm, textOf } from './forms.ts';
import { requestSignedIn } from './page.ts';
import { dateInputOf, secondsToEndOf } from './texts.ts';

const day = 86_400;
/** The longest lifetime of a key that expires, in seconds. */
const maxLifetime = 3650 * day;

/** Enables the form that creates a key. @param onCreated is called with each new key */
export function enableCreateKey(onCreated: (key: NewKey) => Promise<void>): void {
  const form = element('create-key', HTMLFormElement);
  element('key-expiry', HTMLSelectElement).addEventListener('change', toggleDate);
  toggleDate();
  handleForm(form, async (fields) => {
    const key = await requestSignedIn<NewKey>('POST', 'keys', {
      name: textOf(fields, 'name').trim(),
      expiresIn: lifetimeOf(fields),
    });
    form.reset();
    toggleDate();
    await onCreated(key);
  });
}

/** The requested lifetime in seconds; null: the key does not expire. */
function lifetimeOf(fields: FormData): number | null {
  const choice = textOf(fields, 'expiry');
  if (choice === 'never') return null;
  return choice === 'date'
    ? secondsToEndOf(textOf(fields, 'date'), Date.now())
    : Number(choice) * day;
}

/** Shows the date field when "on a date" is selected. The browser rejects dates out of range. */
function toggleDate(): void {
  const isShown = element('key-expiry', HTMLSelectElement).value === 'date';
  const field = element('key-date', HTMLInputElement);
  const now = Date.now();
  field.min = dateInputOf(now);
  field.max = dateInputOf(now + maxLifetime * 1000);
  field.required = isShown;
  field.disabled = !isShown;
  show('key-date-field', isShown);
}

/** Enables the buttons next to a new key. */
export function enableNewKey(): void {
  const copied = [
    ['copy-key', 'new-key-text', 'Key'],
    ['copy-curl', 'new-key-curl', 'Request'],
  ] as const;
  for (const [button, source, name] of copied)
    element(button).addEventListener('click', () => copyText(element(source), name));
  element('new-key-done').addEventListener('click', () => {
    hideNewKey();
    element('keys-title').focus();
  });
  // The browser may restore a page from its back/forward cache.
  addEventListener('pagehide', hideNewKey);
}

/** Shows a new key with a request to try it. @param url of a resource that requires a key */
export function showNewKey({ key }: NewKey, title: string, url: string): void {
  setText('new-key-title', title);
  setText('new-key-text', key);
  setText('new-key-curl', `curl -H "Authorization: Bearer ${key}" ${url}`);
  show('new-key', true);
  element('new-key-title').focus();
}

/** Removes the shown key from the page. */
export function hideNewKey(): void {
  show('new-key', false);
  for (const id of ['new-key-text', 'new-key-curl']) setText(id, '');
}
