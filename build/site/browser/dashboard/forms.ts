/** Forms of the dashboard: submission, passwords, and buttons of sign-in providers. */
import { announce, create, element, onSubmit, part, setText, show, within } from '../elements.ts';
import { messageOf, request, type Settings } from './api.ts';
import { pages } from './page.ts';

/**
 * Enables a form. Ignores further submissions while one is in progress, and shows errors in the form.
 *
 * @param submit runs in place of the browser's own submission
 */
export function handleForm(
  form: HTMLFormElement,
  submit: (fields: FormData) => Promise<void>,
): void {
  // The browser's own messages disappear, and look different in each.
  form.noValidate = true;
  onSubmit(form, async () => {
    showFormMessage(form, '');
    if (!checkFields(form)) return;
    try {
      await submit(new FormData(form));
    } catch (error) {
      showFormMessage(form, messageOf(error));
    }
  });
}

/** Shows below each field what is wrong with its value, and moves the focus to the first such field. */
function checkFields(form: HTMLFormElement): boolean {
  for (const error of form.querySelectorAll('.error')) error.remove();
  const fields = [...form.querySelectorAll<HTMLInputElement>('.field input')];
  const wrong = fields.filter((field) => {
    const error = errorOf(field);
    field.ariaInvalid = String(error !== '');
    if (error !== '')
      field.closest('.field')?.append(create('p', { className: 'error', role: 'alert' }, error));
    return error !== '';
  });
  wrong[0]?.focus();
  return wrong.length === 0;
}

/** What is wrong with the value of a field, and how to fix it; empty if it is valid. */
function errorOf({ labels, validity, minLength, validationMessage }: HTMLInputElement): string {
  const name = labels?.[0]?.textContent?.toLowerCase() ?? 'value';
  if (validity.valueMissing) return `Enter the ${name}.`;
  if (validity.typeMismatch) return 'Enter an email address, such as name@example.org.';
  if (validity.tooShort) return `Enter at least ${minLength} characters.`;
  return validationMessage;
}

/** Shows an error in a form; an empty text removes it. */
export function showFormMessage(form: ParentNode, text: string): void {
  part(form, 'message').textContent = text;
}

/** Returns the text of a field. */
export function textOf(fields: FormData, name: string): string {
  return String(fields.get(name) ?? '');
}

/** Runs an action when a button is pressed, which is disabled meanwhile. Errors are announced. */
export function onPress(button: HTMLButtonElement, action: () => Promise<void>): void {
  button.onclick = async () => {
    button.disabled = true;
    await action().catch((error: unknown) => announce(messageOf(error)));
    button.disabled = false;
  };
}

/**
 * Enables a dialog with a form, which closes when it is submitted. Returns a function that opens it.
 *
 * @param submit sends the request that the dialog is for
 * @param onDone runs with the response after the dialog has closed
 */
export function handleDialog<Response>(
  id: string,
  submit: (fields: FormData) => Promise<Response>,
  onDone: (response: Response) => Promise<void>,
): () => void {
  const dialog = element(id, HTMLDialogElement);
  const form = within(dialog, 'form', HTMLFormElement);
  part(dialog, 'cancel').addEventListener('click', () => dialog.close());
  handleForm(form, async (fields) => {
    const response = await submit(fields);
    // Closing moves the focus to the button that opened the dialog; `onDone` may move it elsewhere.
    dialog.close();
    await onDone(response);
  });
  return () => {
    form.reset();
    for (const error of form.querySelectorAll('.error')) error.remove();
    showFormMessage(form, '');
    dialog.showModal();
  };
}

/** Sets the limits of the service on a new password. */
export function limitPassword({ min, max }: Settings['password']): void {
  const field = element('password', HTMLInputElement);
  // The minimum must not exceed the maximum at any time.
  field.removeAttribute('minlength');
  field.maxLength = max;
  field.minLength = min;
  setText('password-hint', `At least ${min} characters.`);
}

const providerNames: Readonly<Record<string, string>> = {
  google: 'Google',
  github: 'GitHub',
  gitlab: 'GitLab',
};

/** Shows a button for each sign-in provider. */
export function showProviders(providers: readonly string[]): void {
  element('providers').append(...providers.map(providerButton));
  show('providers', providers.length > 0);
}

function providerButton(provider: string): HTMLButtonElement {
  const name = providerNames[provider] ?? provider;
  const button = create('button', { type: 'button', className: 'button' }, `Continue with ${name}`);
  button.addEventListener('click', async () => {
    try {
      const { url } = await request<{ url: string }>('POST', 'sign-in/social', {
        provider,
        callbackURL: pages.overview,
        errorCallbackURL: pages.signIn,
      });
      location.assign(url);
    } catch (error) {
      showFormMessage(element('form', HTMLFormElement), messageOf(error));
    }
  });
  return button;
}
