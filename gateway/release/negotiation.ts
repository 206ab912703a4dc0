import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** The content codings that a release stores answers in (RFC 9110, 8.4.1). */
export type Coding = 'br' | 'gzip' | 'identity';

/** The smaller coding first, where a client likes several as much. */
const preferred = ['br', 'gzip'];

/** Values of Accept-Encoding that are remembered, and characters of the longest: browsers send a few dozen. */
const mostRemembered = 1000;
const longestRemembered = 100;

/** Chooses among the content codings that an answer is stored in. */
export class Negotiation {
  /** The preferred one first; `identity` among them. */
  readonly codings: readonly Coding[];
  readonly #chosen = new LRUCache<string, Coding>({ max: mostRemembered });

  constructor(codings: readonly Coding[]) {
    this.codings = codings;
  }

  /** Negotiates the coding (RFC 9110, 12.5.3); a client that refuses all gets the bytes as they are. */
  choose(headers: IncomingHttpHeaders): Coding {
    const accepted = headers['accept-encoding'];
    if (accepted === undefined || this.codings.length === 1) return 'identity';
    const known = this.#chosen.get(accepted);
    if (known) return known;
    const coding = (new Negotiator({ headers }).encoding(this.codings, { preferred }) ??
      'identity') as Coding;
    if (accepted.length <= longestRemembered) this.#chosen.set(accepted, coding);
    return coding;
  }
}
