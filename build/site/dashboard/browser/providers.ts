import { element, show } from '../../browser/elements.ts';
import { pages } from './addresses.ts';
import { ask, sentenceOf } from './api.ts';
import { tellForm } from './form.ts';

const names: Readonly<Record<string, string>> = { google: 'Google', github: 'GitHub', gitlab: 'GitLab' };

/** Offers to sign in with other services, by a button each. */
export function offerProviders(providers: readonly string[]): void {
  const group = element('providers', HTMLElement);
  for (const old of group.querySelectorAll('button')) old.remove();
  group.append(...providers.map(providerButton));
  show('providers', providers.length > 0);
}

function providerButton(provider: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button full';
  button.textContent = `Continue with ${names[provider] ?? provider}`;
  button.addEventListener('click', () => {
    signInWith(provider).catch((error: unknown) => {
      tellForm(element('form', HTMLFormElement), sentenceOf(error));
    });
  });
  return button;
}

async function signInWith(provider: string): Promise<void> {
  const { url } = await ask<{ url: string }>('POST', 'sign-in/social', {
    provider,
    callbackURL: pages.overview,
    errorCallbackURL: pages.signIn,
  });
  location.assign(url);
}
