/** How requests get to the service: straight, or through a forward proxy. */
export interface Way {
  /** Address of the proxy; empty: none. */
  readonly proxy: string;
  /** Hosts that are asked without it, as NO_PROXY lists them. */
  readonly straight: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The way that an environment tells, as other tools read it: HTTPS_PROXY or HTTP_PROXY by the scheme of the service,
 * and NO_PROXY; a name in lower case comes before the same in capitals. A service on this machine is asked straight.
 *
 * @throws RangeError when the proxy is no address of one; the message does not show it, as it may hold a password
 */
export function wayTo(baseUrl: string, environment: Environment): Way {
  const name = baseUrl.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = isOnThisMachine(baseUrl) ? '' : settingOf(environment, name);
  if (proxy !== '' && !/^https?:$/.test(URL.canParse(proxy) ? new URL(proxy).protocol : ''))
    throw new RangeError(`${name} is not the address of a proxy, like http://proxy.example.org:3128.`);
  return { proxy, straight: settingOf(environment, 'NO_PROXY') };
}

/** Whether an address leads to no other machine. */
export function isOnThisMachine(baseUrl: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname);
}

function settingOf(environment: Environment, name: string): string {
  return environment[name.toLowerCase()] ?? environment[name] ?? '';
}
