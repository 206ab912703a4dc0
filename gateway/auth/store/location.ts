/** Where accounts, keys and usage are kept. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

/**
 * Reads a database's address.
 *
 * @param text `file:` and a path, or `postgres://user:password@host:port/name`
 * @returns undefined when it is neither
 */
export function parseLocation(text: string): DatabaseLocation | undefined {
  const file = /^file:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
  if (file !== undefined) return { kind: 'sqlite', file };
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  return { kind: 'postgres', url: text };
}

/** The location in words, without the password that it may hold. */
export function describeLocation(location: DatabaseLocation): string {
  if (location.kind === 'sqlite') return location.file;
  const { host, pathname } = new URL(location.url);
  return `${pathname.slice(1)} at ${host === '' ? 'this machine' : host}`;
}
