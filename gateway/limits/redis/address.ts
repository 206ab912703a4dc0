/** `HOST:PORT`, with brackets around an IPv6 address. */
export function addressOf(host: string, port: number | string): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * The URL of another node, with the same protocol, credentials and database.
 *
 * @param address `HOST:PORT`
 */
export function urlAt(url: string, address: string): string {
  const changed = new URL(url);
  // Without a port in the address, the old one would stay.
  changed.port = '';
  changed.host = address;
  return changed.href;
}
