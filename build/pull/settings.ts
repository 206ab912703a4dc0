import type { KeyObject } from 'node:crypto';
import { isLoopback } from '../release/loopback.ts';
import type { Clock } from './rate-limit.ts';

export interface PullSettings {
  /** Scheme, host and, if the service is not at the root, a path; no trailing slash. */
  readonly baseUrl: string;
  readonly proxy: ProxySettings;
  readonly key: string;
  /** What is mirrored: an exam, or one of its years: `neet`, `neet/2024`. */
  readonly scope: string;
  /** Only what is signed with this key is accepted. */
  readonly publicKey?: KeyObject | undefined;
  readonly clock: Clock;
  /** Milliseconds from a request to the last byte of its response. */
  readonly timeout: number;
  /** Takes the number of files requested, of those known to be wanted, and of bytes downloaded. */
  readonly progress: (done: number, total: number, bytes: number) => void;
  /** Takes a sentence about a problem that a retry may solve. */
  readonly note: (sentence: string) => void;
}

/** The forward proxy of requests, if there is one. */
export interface ProxySettings {
  /** Address of the proxy; empty: none. */
  readonly proxy: string;
  /** Hosts that are requested directly, as NO_PROXY lists them. */
  readonly noProxy: string;
}

/**
 * Reads the proxy settings as other tools do: HTTPS_PROXY or HTTP_PROXY by the scheme of the service, and NO_PROXY;
 * names in lower case have precedence. A service on this machine needs no proxy.
 *
 * @throws RangeError when the address of the proxy is invalid; the message omits it, as it may hold a password
 */
export function proxyFor(baseUrl: string, environment: NodeJS.ProcessEnv): ProxySettings {
  const setting = (name: string) => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const name = baseUrl.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = isLoopback(new URL(baseUrl).hostname) ? '' : setting(name);
  if (proxy !== '' && !/^https?:$/.test(URL.canParse(proxy) ? new URL(proxy).protocol : ''))
    throw new RangeError(`${name} is not a proxy URL such as http://proxy.example.org:3128.`);
  return { proxy, noProxy: setting('NO_PROXY') };
}
