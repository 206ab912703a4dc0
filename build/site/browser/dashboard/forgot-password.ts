import { element, part, show, showInstead } from '../elements.ts';
import { request, type Settings } from './api.ts';
import { handleForm, textOf } from './forms.ts';
import { loadPage } from './page.ts';

handleForm(element('form', HTMLFormElement), async (fields) => {
  const email = textOf(fields, 'email');
  await request('POST', 'request-password-reset', { email });
  part(element('done'), 'email').textContent = email;
  showInstead('done', 'entry', 'title');
});

await loadPage(async () => {
  show('loading', true);
  const { mail } = await request<Settings>('GET', 'settings').finally(() => show('loading', false));
  show(mail ? 'entry' : 'no-mail', true);
});
