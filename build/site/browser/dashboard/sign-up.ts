import { element, part, showInstead } from '../elements.ts';
import { isSignedOut, request, type Settings } from './api.ts';
import {
  enableShowPassword,
  handleForm,
  limitPassword,
  showFormMessage,
  showProviders,
  textOf,
} from './forms.ts';
import { loadPage, pages, redirectTo } from './page.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly callbackURL: string;
}

const form = element('form', HTMLFormElement);

async function signUp(credentials: Credentials, settings: Settings): Promise<void> {
  await request('POST', 'sign-up/email', { name: credentials.email, ...credentials });
  if (settings.mail) {
    part(element('done', HTMLElement), 'email', HTMLElement).textContent = credentials.email;
    showInstead('done', 'entry', 'done-title');
  } else {
    await signIn(credentials);
  }
}

/** Without email, an account works at once. The response to the sign-up does not reveal whether the account is new. */
async function signIn(credentials: Credentials): Promise<void> {
  try {
    await request('POST', 'sign-in/email', credentials);
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    showFormMessage(
      form,
      'This address may already have an account. Sign in with its password, or reset the password.',
    );
    return;
  }
  redirectTo(pages.overview);
}

enableShowPassword();
await loadPage(async () => {
  const settings = await request<Settings>('GET', 'settings');
  limitPassword(settings.password);
  showProviders(settings.providers);
  handleForm(form, (fields) => {
    const [email, password] = [textOf(fields, 'email'), textOf(fields, 'password')];
    return signUp({ email, password, callbackURL: pages.overview }, settings);
  });
});
