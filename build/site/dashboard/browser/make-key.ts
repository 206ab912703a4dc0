import { element } from '../../browser/elements.ts';
import type { NewKey } from './answers.ts';
import { handleForm, textOf } from './form.ts';
import { fieldDateOf, secondsToEndOf } from './moments.ts';
import { askSignedIn } from './session.ts';

const day = 86_400;
/** The longest life of a key that has an end. */
const longest = 3650 * day;

/** @param made is called with each new key */
export function prepareMakeKey(made: (key: NewKey) => Promise<void>): void {
  const form = element('make-key', HTMLFormElement);
  offerDate();
  handleForm(form, async (fields) => {
    const request = { name: textOf(fields, 'name').trim(), expiresIn: lifetimeOf(fields) };
    const key = await askSignedIn<NewKey>('POST', 'keys', request);
    form.reset();
    toggleDate();
    await made(key);
  });
}

/** Seconds that the key is to live; null: for ever. */
function lifetimeOf(fields: FormData): number | null {
  const choice = textOf(fields, 'expiry');
  if (choice === 'never') return null;
  return choice === 'date' ? secondsToEndOf(textOf(fields, 'date'), Date.now()) : Number(choice) * day;
}

function offerDate(): void {
  element('key-expiry', HTMLSelectElement).addEventListener('change', toggleDate);
  toggleDate();
}

/** Shows the field for a date when one is asked for. The browser refuses one out of bounds. */
function toggleDate(): void {
  const isAsked = element('key-expiry', HTMLSelectElement).value === 'date';
  const field = element('key-date', HTMLInputElement);
  const now = Date.now();
  field.min = fieldDateOf(now);
  field.max = fieldDateOf(now + longest * 1000);
  field.required = isAsked;
  field.disabled = !isAsked;
  element('key-date-field', HTMLElement).hidden = !isAsked;
}
