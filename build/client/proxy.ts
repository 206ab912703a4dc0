/** Requests through a forward proxy, for the command: fetch of Node.js 20 and 22 supports none. */
import { type Duplex, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { EnvHttpProxyAgent } from 'undici';
import { UsageError } from '../command-line/command.ts';
import { isLoopback } from '../release/urls.ts';

/** The forward proxy of requests, if there is one. */
interface ProxySettings {
  /** Address of the proxy; empty: none. */
  readonly proxy: string;
  /** Hosts that are requested directly, as NO_PROXY lists them. */
  readonly noProxy: string;
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

const decoders = new Map<string, () => Duplex>([
  ['br', createBrotliDecompress],
  ['gzip', createGunzip],
]);

/** Returns `fetch`, which uses the proxy if there is one. Only GET requests are supported. */
export function fetchThrough({ proxy, noProxy }: ProxySettings): typeof fetch {
  if (proxy === '') return fetch;
  // All three are given so that the agent does not read the environment itself.
  const proxies = { httpProxy: proxy, httpsProxy: proxy, noProxy };
  const agent = new EnvHttpProxyAgent({ ...proxies, keepAliveTimeout: 1000 });
  return async (input, init) => {
    const url = new URL(String(input));
    const { statusCode, headers, body } = await agent.request({
      origin: url.origin,
      path: url.pathname,
      method: 'GET',
      headers: { 'Accept-Encoding': 'br, gzip', ...(init?.headers as Record<string, string>) },
      signal: init?.signal,
    });
    const fields = new Headers();
    for (const [name, value] of Object.entries(headers)) fields.set(name, String(value));
    if (statusCode !== 200) {
      await body.dump();
      return new Response(null, { status: statusCode, headers: fields });
    }
    const decoder = decoders.get(fields.get('content-encoding') ?? '')?.();
    const plain = decoder
      ? body.on('error', (error) => decoder.destroy(error)).pipe(decoder)
      : body;
    return new Response(Readable.toWeb(plain) as ReadableStream, { headers: fields });
  };
}
