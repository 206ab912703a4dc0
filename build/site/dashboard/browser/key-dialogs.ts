import { element, part, within } from '../../browser/elements.ts';
import type { Key, NewKey } from './answers.ts';
import { handleForm, tellForm, textOf } from './form.ts';
import { askSignedIn } from './session.ts';

/** Opens a dialog about a key. */
type Open = (key: Key) => void;

/**
 * The dialog that rotates a key.
 *
 * @param rotated is called when the dialog is closed, with the new key and the one before it
 */
export function rotateDialog(rotated: (made: NewKey, before: Key) => Promise<void>): Open {
  return keyDialog('rotate', async (key, fields) => {
    const overlap = Number(textOf(fields, 'overlap'));
    const made = await askSignedIn<NewKey>('POST', `${pathOf(key)}/rotate`, { overlap });
    return () => rotated(made, key);
  });
}

/** The dialog that revokes a key. `revoked` is called when it is closed. */
export function revokeDialog(revoked: (key: Key) => Promise<void>): Open {
  return keyDialog('revoke', async (key) => {
    await askSignedIn<Key>('DELETE', pathOf(key));
    return () => revoked(key);
  });
}

/** @param act does what the dialog is for; what it returns runs when the dialog is closed */
function keyDialog(id: string, act: (key: Key, fields: FormData) => Promise<() => Promise<void>>): Open {
  const dialog = element(id, HTMLDialogElement);
  const form = within(dialog, 'form', HTMLFormElement);
  let current: Key | undefined;
  part(dialog, 'cancel', HTMLButtonElement).addEventListener('click', () => dialog.close());
  handleForm(form, async (fields) => {
    if (!current) return;
    const after = await act(current, fields);
    // Closing gives the focus back to the button that opened; `after` may take it further.
    dialog.close();
    await after();
  });
  return (key) => {
    current = key;
    form.reset();
    tellForm(form, '');
    part(dialog, 'name', HTMLElement).textContent = key.name;
    for (const start of dialog.querySelectorAll('[data-part=start]')) start.textContent = `${key.start}…`;
    dialog.showModal();
  };
}

function pathOf({ id }: Key): string {
  return `keys/${encodeURIComponent(id)}`;
}
