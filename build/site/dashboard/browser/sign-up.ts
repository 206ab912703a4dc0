import { element, part, turnTo } from '../../browser/elements.ts';
import { leaveFor, pages } from './addresses.ts';
import type { Settings } from './answers.ts';
import { ask, isSignedOut } from './api.ts';
import { handleForm, tellForm, textOf } from './form.ts';
import { boundPassword, offerToShowPassword } from './password.ts';
import { offerProviders } from './providers.ts';
import { loadOrTell } from './trouble.ts';

interface Entry {
  readonly email: string;
  readonly password: string;
  readonly callbackURL: string;
}

const form = element('form', HTMLFormElement);

async function signUp(entry: Entry, settings: Settings): Promise<void> {
  await ask('POST', 'sign-up/email', { name: entry.email, ...entry });
  if (settings.mail) {
    part(element('done', HTMLElement), 'email', HTMLElement).textContent = entry.email;
    turnTo('done', 'ask', 'done-title');
  } else {
    await signIn(entry);
  }
}

/** Without mail an account works at once; the answer to the sign-up does not tell whether it is a new one. */
async function signIn(entry: Entry): Promise<void> {
  try {
    await ask('POST', 'sign-in/email', entry);
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    tellForm(
      form,
      'This address may have an account already. Sign in with its password, or reset the password.',
    );
    return;
  }
  leaveFor(pages.overview);
}

offerToShowPassword();
await loadOrTell(async () => {
  const settings = await ask<Settings>('GET', 'settings');
  boundPassword(settings.password);
  offerProviders(settings.providers);
  handleForm(form, (fields) => {
    const entry = { email: textOf(fields, 'email'), password: textOf(fields, 'password') };
    return signUp({ ...entry, callbackURL: pages.overview }, settings);
  });
});
