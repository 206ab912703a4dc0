import assert from 'node:assert/strict';
import type { Client, Dispatcher } from 'undici';
import type { Draw } from '../fuzz/draw.ts';
import type { Releases } from './releases.ts';

/** Counts of requests and responses. */
export interface LoadTally {
  requests: number;
  /** Requests that count towards limits, by account. */
  readonly accepted: Map<string, number>;
  readonly statuses: Map<number, number>;
}

/** An account with a key that is valid as long as the load runs. */
export interface LoadAccount {
  readonly id: string;
  readonly key: string;
}

interface LoadRequest {
  readonly path: string;
  /** The resource of the release; undefined if there is none at this path. */
  readonly resource: string | undefined;
  readonly account: LoadAccount | undefined;
}

/** Requests resources of a release on one connection, and compares each response with the releases. */
export class Load {
  readonly #client: Client;
  readonly #releases: Releases;
  readonly #accounts: readonly LoadAccount[];
  readonly #random: Draw;
  readonly #tally: LoadTally;
  readonly #open: readonly string[];
  readonly #closed: readonly string[];
  /** The last ETag of each path. */
  readonly #tags = new Map<string, string>();
  /** The newest release in any response, shared by all connections. */
  readonly #seen: { release: number };

  constructor(
    client: Client,
    releases: Releases,
    accounts: readonly LoadAccount[],
    random: Draw,
    tally: LoadTally,
    seen: { release: number },
  ) {
    this.#client = client;
    this.#releases = releases;
    this.#accounts = accounts;
    this.#random = random;
    this.#tally = tally;
    this.#seen = seen;
    this.#open = [...releases.first.resources.public.keys()];
    this.#closed = [...releases.first.resources.protected.keys()];
  }

  /** Sends a request. @throws AssertionError if its response is wrong */
  async send(): Promise<void> {
    const request = this.#randomRequest();
    const headers = this.#headers(request);
    const seen = this.#seen.release;
    const {
      statusCode: status,
      headers: fields,
      body,
    } = await this.#client.request({ method: 'GET', path: `/${request.path}`, headers });
    const bytes = Buffer.from(await body.arrayBuffer());
    this.#count(request, status);
    if (request.resource === undefined) {
      assert.equal(status, request.path.startsWith('neet/2024/s1') && !request.account ? 401 : 404);
      return;
    }
    assert.ok(status === 200 || (status === 304 && headers['if-none-match']), `${status} at ${request.path}`);
    await this.#checkBody(request.resource, status, fields, bytes, seen);
  }

  #randomRequest(): LoadRequest {
    const random = this.#random;
    const account = random.pick(this.#accounts);
    return random.weighted<() => LoadRequest>([
      [3, () => this.#of(random.pick(this.#open), undefined)],
      [12, () => this.#of(random.pick(this.#closed), account)],
      [1, () => ({ path: 'neet/2024/s1/history.json', resource: undefined, account })],
      [1, () => ({ path: 'neet/2024/s1/physics.json', resource: undefined, account: undefined })],
      [1, () => ({ path: `none${random.below(1_000_000)}`, resource: undefined, account: undefined })],
    ])();
  }

  #of(resource: string, account: LoadAccount | undefined): LoadRequest {
    return { path: resource, resource, account };
  }

  #headers({ path, account }: LoadRequest): Record<string, string> {
    const random = this.#random;
    const tag = random.chance(0.2) ? this.#tags.get(path) : undefined;
    return {
      'accept-encoding': random.pick(['br', 'gzip', 'identity', 'gzip, br;q=0.5']),
      ...(account && { authorization: `Bearer ${account.key}` }),
      ...(tag !== undefined && { 'if-none-match': tag }),
    };
  }

  #count({ account }: LoadRequest, status: number): void {
    const { statuses, accepted } = this.#tally;
    this.#tally.requests += 1;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (account) accepted.set(account.id, (accepted.get(account.id) ?? 0) + 1);
  }

  /** Checks that headers and bytes come from one release, which is not older than one seen before. */
  async #checkBody(
    resource: string,
    status: number,
    fields: Dispatcher.ResponseData['headers'],
    bytes: Buffer,
    seen: number,
  ): Promise<void> {
    const etag = String(fields['etag']);
    this.#tags.set(resource, etag);
    const found = (await this.#releases.find(resource, etag)) ?? assert.fail(`${resource} has no ${etag}`);
    const { served, first, last } = found;
    assert.ok(last >= seen, `${resource} is of the release ${last}, after one of ${seen}`);
    if (status === 200) {
      assert.equal(fields['content-encoding'] ?? 'identity', served.coding);
      assert.ok(served.bytes.equals(bytes), `${resource} has other bytes than its ETag says`);
    }
    this.#seen.release = Math.max(this.#seen.release, first);
  }
}
