import { element, setText, show, showInstead } from '../elements.ts';
import { hasStatus, messageOf, request, type Settings } from './api.ts';
import { handleForm, limitPassword, textOf } from './forms.ts';
import { loadPage, takeParameters } from './page.ts';

// A second link opened in the same tab changes only what follows the #, which does not load the page.
addEventListener('hashchange', () => location.reload());

const parameters = takeParameters();
const token = parameters.get('token');
const form = element('form', HTMLFormElement);

/** Says why there is no form, in place of it, and how to get another link. */
function showNoToken(text: string): void {
  setText('no-token-text', text);
  showInstead('no-token', 'entry', 'title');
}

const usedLink = 'This link no longer works: it has expired or was already used.';

handleForm(form, async (fields) => {
  try {
    await request('POST', 'reset-password', { newPassword: textOf(fields, 'password'), token });
    showInstead('done', 'entry', 'title');
  } catch (error) {
    if (!hasStatus(error, 400) || messageOf(error) !== 'Invalid token') throw error;
    showNoToken(usedLink);
  }
});
if (token !== null && !parameters.has('error')) show('entry', true);
else
  showNoToken(
    parameters.has('error')
      ? usedLink
      : 'This page needs a link to choose a new password. Open the link again, or get a new one.',
  );

await loadPage(async () => {
  const { mail, password } = await request<Settings>('GET', 'settings');
  limitPassword(password);
  show(mail ? 'new-link' : 'no-mail', true);
});
