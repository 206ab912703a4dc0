import { hash } from 'node:crypto';

/**
 * SHA-256 of tokens, by which they are known: a dump of the process's memory shows no list of keys. A client sends the
 * same token again and again by one connection: there the last one is remembered, and digested once.
 */
export class Digests {
  readonly #last = new WeakMap<object, { readonly token: string; readonly digest: string }>();

  /** In hex. */
  of(token: string, connection: object | undefined): string {
    const last = connection && this.#last.get(connection);
    if (last?.token === token) return last.digest;
    const digest = hash('sha256', token, 'hex');
    if (connection) this.#last.set(connection, { token, digest });
    return digest;
  }
}
