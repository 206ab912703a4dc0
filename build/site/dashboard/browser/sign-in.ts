import { element } from '../../browser/elements.ts';
import { leaveFor, pages, takeParameters } from './addresses.ts';
import type { Settings } from './answers.ts';
import { ask } from './api.ts';
import { handleForm, tellForm, textOf } from './form.ts';
import { offerToShowPassword } from './password.ts';
import { offerProviders } from './providers.ts';
import { sentenceOfReturn } from './returns.ts';
import { loadOrTell } from './trouble.ts';

const form = element('form', HTMLFormElement);

handleForm(form, async (fields) => {
  await ask('POST', 'sign-in/email', {
    email: textOf(fields, 'email'),
    password: textOf(fields, 'password'),
    callbackURL: pages.overview,
  });
  leaveFor(pages.overview);
});
offerToShowPassword();

const error = takeParameters().get('error');
if (error !== null) tellForm(form, sentenceOfReturn(error));

await loadOrTell(async () => offerProviders((await ask<Settings>('GET', 'settings')).providers));
