/** Whether a host is this machine. @param host a name or an IP address, also an IPv6 address in brackets as in URLs */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  return address === 'localhost' || address === '::1' || /^(::ffff:)?127(\.\d+){3}$/i.test(address);
}
