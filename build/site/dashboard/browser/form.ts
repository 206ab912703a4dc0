import { part, within } from '../../browser/elements.ts';
import { sentenceOf } from './api.ts';

/**
 * Lets a form be sent. While it is under way its button rests; what it throws is shown in the form.
 *
 * @param send does what the form is for; the page's own submission never happens
 */
export function handleForm(form: HTMLFormElement, send: (fields: FormData) => Promise<void>): void {
  const button = within(form, 'button[type=submit]', HTMLButtonElement);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.getAttribute('aria-disabled') === 'true') return;
    // Not `disabled`: that would take the focus away.
    button.setAttribute('aria-disabled', 'true');
    tellForm(form, '');
    try {
      await send(new FormData(form));
    } catch (error) {
      tellForm(form, sentenceOf(error));
    } finally {
      button.removeAttribute('aria-disabled');
    }
  });
  button.disabled = false;
}

/** Says in a form what went wrong; an empty text says that nothing did. */
export function tellForm(form: ParentNode, text: string): void {
  part(form, 'message', HTMLElement).textContent = text;
}

/** The text of a field. */
export function textOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}
