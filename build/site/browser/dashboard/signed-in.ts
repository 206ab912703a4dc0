/** What the pages of a signed-in user share: who is signed in, signing out, and the way to the sign-in page. */
import { announce, element, setText, show } from '../elements.ts';
import { type Account, hasStatus, messageOf, request } from './api.ts';
import { loadPage, pages, redirectTo, takeParameters } from './page.ts';

/**
 * Loads a page that requires a session.
 *
 * @param load shows the content and returns the account; may throw what `request` throws
 */
export async function loadSignedIn(load: () => Promise<Account>): Promise<void> {
  // Links in emails lead here first. The sign-in page shows their errors.
  const returnError = takeParameters().get('error');
  element('sign-out', HTMLButtonElement).addEventListener('click', signOut);
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
        return redirectTo(pages.signIn + query);
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
    redirectTo(pages.signIn);
  } catch (error) {
    announce(messageOf(error));
  }
}
