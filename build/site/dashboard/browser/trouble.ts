import { element, say, show } from '../../browser/elements.ts';
import { Refusal, sentenceOf } from './api.ts';

/** A gateway whose keys are checked elsewhere has no routes for accounts. */
const elsewhere = 'There are no accounts at this address. Ask the operator of this service where they are.';

/**
 * Loads what a page needs, and when that fails says so, with a button that loads again.
 *
 * @param load may throw what `ask` throws
 */
export async function loadOrTell(load: () => Promise<void>): Promise<void> {
  const retry = element('retry', HTMLButtonElement);
  try {
    await load();
    if (document.activeElement === retry) element('main', HTMLElement).querySelector('h1')?.focus();
    show('trouble', false);
  } catch (error) {
    // Emptied first, so that the same sentence is announced again.
    say('trouble-text', '');
    show('trouble', true);
    say('trouble-text', isMissing(error) ? elsewhere : sentenceOf(error));
    retry.onclick = () => loadOrTell(load);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Refusal && error.status === 404;
}
