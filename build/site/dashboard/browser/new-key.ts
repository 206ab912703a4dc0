import { copyText } from '../../browser/copy.ts';
import { element, say, show } from '../../browser/elements.ts';
import type { NewKey } from './answers.ts';

/** Lets the buttons beside a new key work. */
export function prepareNewKey(): void {
  copyWith('copy-key', 'new-key-text', 'Key');
  copyWith('copy-curl', 'new-key-curl', 'Request');
  element('new-key-done', HTMLButtonElement).addEventListener('click', () => {
    forgetNewKey();
    element('keys-title', HTMLElement).focus();
  });
  // A browser may keep a page that is left, to show it again as it was.
  addEventListener('pagehide', forgetNewKey);
}

/**
 * Shows a new key, once, with a request to try it with.
 *
 * @param title what has been made
 * @param address of something that needs a key
 */
export function showNewKey({ key }: NewKey, title: string, address: string): void {
  say('new-key-title', title);
  say('new-key-text', key);
  say('new-key-curl', `curl -H "Authorization: Bearer ${key}" ${address}`);
  show('new-key', true);
  element('new-key-title', HTMLElement).focus();
}

/** Takes a key that was shown out of the page. */
export function forgetNewKey(): void {
  show('new-key', false);
  for (const id of ['new-key-text', 'new-key-curl']) say(id, '');
}

function copyWith(button: string, source: string, name: string): void {
  element(button, HTMLButtonElement).addEventListener('click', () =>
    copyText(element(source, HTMLElement), name),
  );
}
