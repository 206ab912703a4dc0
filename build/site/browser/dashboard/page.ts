/** Navigation and loading, for every page of the dashboard. */
import { announce, element, setText, show } from '../elements.ts';
import { type Account, hasStatus, messageOf, request } from './api.ts';

/** URLs of pages that the scripts navigate to: with `location.replace`, so that the back button does not loop. */
export const pages = { overview: '/dashboard/', signIn: '/dashboard/sign-in/' } as const;

/**
 * Removes the parameters from the URL, including those after `#`, and returns them. They may hold a token that
 * opens an account, which must not remain in the history or in a copied URL.
 */
export function takeParameters(): URLSearchParams {
  const parameters = new URLSearchParams(`${location.search.slice(1)}&${location.hash.slice(1)}`);
  if (location.search !== '' || location.hash !== '')
    history.replaceState(null, '', location.pathname);
  return parameters;
}

/** Sends a request as `request` does, and redirects to the sign-in page if nobody is signed in. */
export async function requestSignedIn<Body>(
  ...parameters: Parameters<typeof request>
): Promise<Body> {
  try {
    return await request<Body>(...parameters);
  } catch (error) {
    if (hasStatus(error, 401)) location.replace(pages.signIn);
    throw error;
  }
}

/**
 * Loads what a page needs. Shows an error with a retry button if that fails.
 *
 * @param load may throw what `request` throws
 */
export async function loadPage(load: () => Promise<void>): Promise<void> {
  const retry = element('retry', HTMLButtonElement);
  try {
    await load();
    if (document.activeElement === retry) element('main').querySelector('h1')?.focus();
    show('load-error', false);
  } catch (error) {
    // Emptied first, so that screen readers announce the same message again.
    setText('load-error-text', '');
    show('load-error', true);
    setText('load-error-text', hasStatus(error, 404) ? noAccounts : messageOf(error));
    retry.onclick = () => loadPage(load);
  }
}

/**
 * Loads a page that requires a session.
 *
 * @param load shows the content and returns the account; may throw what `request` throws
 */
export async function loadSignedIn(load: () => Promise<Account>): Promise<void> {
  // Links in emails lead here first. The sign-in page shows their errors.
  const returnError = takeParameters().get('error');
  element('sign-out').addEventListener('click', signOut);
  // When the browser restores the page from its back/forward cache, somebody else may be signed in.
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
  await loadPage(async () => {
    show('loading', true);
    try {
      const { email } = await load();
      setText('address', email);
      show('account', true);
      show('content', true);
    } catch (error) {
      if (hasStatus(error, 401)) {
        const query = returnError === null ? '' : `?error=${encodeURIComponent(returnError)}`;
        return location.replace(pages.signIn + query);
      }
      // Users of a blocked account can still sign out.
      show('account', hasStatus(error, 403));
      throw error;
    } finally {
      show('loading', false);
    }
  });
}

async function signOut(): Promise<void> {
  try {
    await request('POST', 'sign-out', {});
    location.replace(pages.signIn);
  } catch (error) {
    announce(messageOf(error));
  }
}

/** A gateway that uses an external authentication service has no `/auth/` routes. */
const noAccounts =
  'There are no accounts at this address. Ask the operator of this service where to sign in.';
