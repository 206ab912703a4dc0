/** How clients reach a service: its address, the key and the proxy. */
import { UsageError } from '../../command-line/command.ts';
import { isLoopback } from '../../release/urls.ts';
import type { ClientSettings, ProxySettings } from './client.ts';
import { systemClock } from './rate-limit.ts';

/** Milliseconds for a request. A slower service counts as down. */
const timeout = 60_000;

/**
 * Returns the settings for requests to the service at an address, with the key and the proxy of an environment.
 *
 * @throws UsageError when the address, the key or the address of the proxy is invalid
 */
export function accessTo(
  address: string,
  environment: NodeJS.ProcessEnv,
): Omit<ClientSettings, 'note'> {
  const baseUrl = baseUrlOf(address);
  return {
    baseUrl,
    key: keyOf(environment),
    proxy: proxyFor(baseUrl, environment),
    clock: systemClock,
    timeout,
  };
}

function baseUrlOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username ||
    url.password ||
    url.search ||
    url.hash
  )
    throw new UsageError(
      `"${address}" is not the address of a service. Use an address such as https://api.example.org, ` +
        'without user, query or fragment.',
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Not an argument: all users of a machine see the arguments of its processes, and shells store them. */
function keyOf({ API_KEY: key }: NodeJS.ProcessEnv): string {
  if (!key)
    throw new UsageError('API_KEY is not set. Set this environment variable to your API key.');
  // The token of RFC 6750, 2.1. The message omits the value, as part of it may be a key.
  if (!/^[A-Za-z0-9._~+/-]+=*$/.test(key))
    throw new UsageError(
      'API_KEY contains characters that no API key has. Remove spaces and quotation marks.',
    );
  return key;
}

/**
 * Reads the proxy settings as other tools do: HTTPS_PROXY or HTTP_PROXY by the scheme of the service, and NO_PROXY;
 * names in lower case have precedence. A service on this machine needs no proxy.
 *
 * @throws UsageError when the address of the proxy is invalid; the message omits it, as it may hold a password
 */
export function proxyFor(baseUrl: string, environment: NodeJS.ProcessEnv): ProxySettings {
  const setting = (name: string) => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const name = baseUrl.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = isLoopback(new URL(baseUrl).hostname) ? '' : setting(name);
  if (proxy !== '' && !/^https?:$/.test(URL.canParse(proxy) ? new URL(proxy).protocol : ''))
    throw new UsageError(`${name} is not a proxy URL such as http://proxy.example.org:3128.`);
  return { proxy, noProxy: setting('NO_PROXY') };
}
