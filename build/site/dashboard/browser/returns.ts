/** Why somebody comes back without being signed in, by the code in the address. */
const sentences: Readonly<Record<string, string>> = {
  access_denied: 'You did not allow it there, so you are not signed in.',
  account_not_linked:
    'The address has an account with another way to sign in. Use that one: your password, or another button.',
  email_not_found: 'The other service did not tell your email address, so it cannot sign you in here.',
  email_not_verified: 'The other service has not verified your email address, so it cannot sign you in here.',
  invalid_token:
    'The link does not work: it was used already, or is not whole. Sign in, or sign up once more.',
  signup_disabled: 'There is no account for that address.',
  token_expired: 'The link is too old. Sign in, or sign up once more to get a new one.',
  user_not_found: 'The account of the link is no more.',
};

/**
 * A sentence for the code that a link or another service came back with. The code itself is never shown:
 * anybody can write one into an address.
 */
export function sentenceOfReturn(code: string): string {
  const known = code.trim().toLowerCase().replace(/\W+/g, '_');
  return (
    (Object.hasOwn(sentences, known) ? sentences[known] : undefined) ??
    'Signing in did not work. Try it again, or in another way.'
  );
}
