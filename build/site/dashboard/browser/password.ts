import { element, say } from '../../browser/elements.ts';
import type { Settings } from './answers.ts';

/** Lets the person read what they type. */
export function offerToShowPassword(): void {
  const field = element('password', HTMLInputElement);
  const button = element('show-password', HTMLButtonElement);
  button.hidden = false;
  button.addEventListener('click', () => {
    const isShown = field.type === 'password';
    field.type = isShown ? 'text' : 'password';
    button.textContent = isShown ? 'Hide' : 'Show';
    button.setAttribute('aria-pressed', String(isShown));
  });
  // Password managers and the browser's own store look for a field of this type.
  field.form?.addEventListener('submit', () => {
    if (field.type === 'text') button.click();
  });
}

/** Holds a new password to the service's bounds. */
export function boundPassword({ min, max }: Settings['password']): void {
  const field = element('password', HTMLInputElement);
  // Each has to be within the other at every step.
  field.removeAttribute('minlength');
  field.maxLength = max;
  field.minLength = min;
  say('password-hint', `${min} characters or more.`);
}
