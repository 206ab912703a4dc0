import { element } from '../elements.ts';
import { request, type Settings } from './api.ts';
import { handleForm, showFormMessage, showProviders, textOf } from './forms.ts';
import { loadPage, pages, takeParameters } from './page.ts';
import { returnErrorMessage } from './texts.ts';

const form = element('form', HTMLFormElement);

handleForm(form, async (fields) => {
  await request('POST', 'sign-in/email', {
    email: textOf(fields, 'email'),
    password: textOf(fields, 'password'),
    callbackURL: pages.overview,
  });
  location.replace(pages.overview);
});

const error = takeParameters().get('error');
if (error !== null) showFormMessage(form, returnErrorMessage(error));

await loadPage(async () => showProviders((await request<Settings>('GET', 'settings')).providers));
