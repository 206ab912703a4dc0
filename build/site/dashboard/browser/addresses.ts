/** Pages that the scripts lead to. */
export const pages = {
  overview: '/dashboard/',
  signIn: '/dashboard/sign-in/',
  resetPassword: '/dashboard/reset-password/',
} as const;

/** Goes to a page, in place of this one: the way back does not lead into a loop. */
export function leaveFor(page: string): void {
  location.replace(page);
}

/**
 * Takes the parameters out of the address, those behind its # too, so that neither history nor a copied address
 * has them: a token opens an account.
 */
export function takeParameters(): URLSearchParams {
  const parameters = new URLSearchParams(`${location.search.slice(1)}&${location.hash.slice(1)}`);
  if (location.search !== '' || location.hash !== '') history.replaceState(null, '', location.pathname);
  return parameters;
}

/** Loads the page anew when the browser brings it back from before: somebody else may be signed in by now. */
export function reloadWhenBroughtBack(): void {
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
}
