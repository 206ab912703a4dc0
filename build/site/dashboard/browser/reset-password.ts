import { element, say, show, turnTo } from '../../browser/elements.ts';
import { takeParameters } from './addresses.ts';
import type { Settings } from './answers.ts';
import { ask } from './api.ts';
import { handleForm, textOf } from './form.ts';
import { boundPassword, offerToShowPassword } from './password.ts';
import { loadOrTell } from './trouble.ts';

// A second link opened in the same tab changes nothing but what stands behind the #.
addEventListener('hashchange', () => location.reload());

const parameters = takeParameters();
const token = parameters.get('token');

if (token === null || parameters.has('error')) {
  say(
    'no-token-text',
    parameters.has('error')
      ? 'This link does not work any more: it is too old, or was used already.'
      : 'This page needs the link that you got: open it from there once more, or get a new one.',
  );
  show('no-token', true);
} else {
  handleForm(element('form', HTMLFormElement), async (fields) => {
    await ask('POST', 'reset-password', { newPassword: textOf(fields, 'password'), token });
    turnTo('done', 'ask', 'title');
  });
  offerToShowPassword();
  show('ask', true);
  await loadOrTell(async () => boundPassword((await ask<Settings>('GET', 'settings')).password));
}
