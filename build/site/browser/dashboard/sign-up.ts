import { element, part, showInstead } from '../elements.ts';
import { hasStatus, request, type Settings } from './api.ts';
import { handleForm, limitPassword, showFormMessage, showProviders, textOf } from './forms.ts';
import { loadPage, pages } from './page.ts';

const form = element('form', HTMLFormElement);

async function signUp(fields: FormData, { mail }: Settings): Promise<void> {
  const email = textOf(fields, 'email');
  const credentials = { email, password: textOf(fields, 'password'), callbackURL: pages.overview };
  await request('POST', 'sign-up/email', credentials);
  if (mail) {
    part(element('done'), 'email').textContent = email;
    showInstead('done', 'entry', 'done-title');
    return;
  }
  // Without email, an account works at once. The response to the sign-up does not reveal whether the account is new.
  try {
    await request('POST', 'sign-in/email', credentials);
    location.replace(pages.overview);
  } catch (error) {
    if (!hasStatus(error, 401)) throw error;
    showFormMessage(
      form,
      'This address may already have an account. Sign in with its password, or reset the password.',
    );
  }
}

await loadPage(async () => {
  // "Get a key" leads here, whoever follows it.
  const isSignedIn = await request('GET', 'account').then(
    () => true,
    (error: unknown) => {
      if (hasStatus(error, 401) || hasStatus(error, 403)) return false;
      throw error;
    },
  );
  if (isSignedIn) return location.replace(pages.overview);
  const settings = await request<Settings>('GET', 'settings');
  limitPassword(settings.password);
  showProviders(settings.providers);
  handleForm(form, (fields) => signUp(fields, settings));
});
