/** How clients reach a service: its address and the key. */
import { PastpaperError } from './errors.ts';

/** The address of a service without a trailing slash. @throws PastpaperError when it is invalid */
export function baseUrlOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username ||
    url.password ||
    url.search ||
    url.hash
  )
    throw new PastpaperError(
      'address',
      `"${address}" is not the address of a service. Use an address such as https://api.example.org, ` +
        'without user, query or fragment.',
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Checks that a key is one token (RFC 6750, 2.1). @throws PastpaperError, which omits the value, as part of it may be a key */
export function checkedKey(key: string): string {
  if (/^[A-Za-z0-9._~+/-]+=*$/.test(key)) return key;
  throw new PastpaperError(
    'key',
    'API_KEY contains characters that no API key has. Remove spaces and quotation marks.',
  );
}
