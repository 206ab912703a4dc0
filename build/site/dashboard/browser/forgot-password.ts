import { element, part, show, turnTo } from '../../browser/elements.ts';
import { pages } from './addresses.ts';
import type { Settings } from './answers.ts';
import { ask } from './api.ts';
import { handleForm, textOf } from './form.ts';
import { loadOrTell } from './trouble.ts';

handleForm(element('form', HTMLFormElement), async (fields) => {
  const email = textOf(fields, 'email');
  await ask('POST', 'request-password-reset', { email, redirectTo: pages.resetPassword });
  part(element('done', HTMLElement), 'email', HTMLElement).textContent = email;
  turnTo('done', 'ask', 'title');
});

await loadOrTell(async () => {
  show('loading', true);
  const { mail } = await ask<Settings>('GET', 'settings').finally(() => show('loading', false));
  show(mail ? 'ask' : 'no-mail', true);
});
