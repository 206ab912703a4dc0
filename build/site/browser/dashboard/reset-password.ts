import { element, setText, show, showInstead } from '../elements.ts';
import { request, type Settings } from './api.ts';
import { enableShowPassword, handleForm, limitPassword, textOf } from './forms.ts';
import { loadPage, takeParameters } from './page.ts';

// A second link opened in the same tab changes only what follows the #, which does not load the page.
addEventListener('hashchange', () => location.reload());

const parameters = takeParameters();
const token = parameters.get('token');

if (token === null || parameters.has('error')) {
  setText(
    'no-token-text',
    parameters.has('error')
      ? 'This link no longer works: it has expired or was already used.'
      : 'This page needs the link from your email. Open the link again, or get a new one.',
  );
  show('no-token', true);
} else {
  handleForm(element('form', HTMLFormElement), async (fields) => {
    await request('POST', 'reset-password', { newPassword: textOf(fields, 'password'), token });
    showInstead('done', 'entry', 'title');
  });
  enableShowPassword();
  show('entry', true);
  await loadPage(async () => limitPassword((await request<Settings>('GET', 'settings')).password));
}
