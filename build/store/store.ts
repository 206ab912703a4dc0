/** The HTTP client of a store of releases. Every request is limited in time and size, and retried a few times. */
import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '../release/user-error.ts';
import { inTime, retryDelay } from '../release/waits.ts';
import type { StoreLocation } from './location.ts';

/** Concurrent requests. */
export const parallelRequests = 16;

/** Called as files are transferred: how many are done, of how many. */
export type Progress = (done: number, total: number) => void;

/** Milliseconds between two pieces of a response. */
const pieceTimeout = 5_000;

/** Milliseconds that a request may take, and the slowest transfer: bytes per millisecond. */
const requestTimeout = 30_000;
const slowestTransfer = 64;

/** How often a request is sent at most, and milliseconds before the second time. The wait doubles. */
const maxAttempts = 4;
const firstDelay = 250;

/** Bytes of an error response that are read. */
const maxErrorSize = 64 * 1024;

/** What is wrong, by the error code of a store. */
const errorHints: ReadonlyMap<string, string> = new Map([
  ['RequestTimeTooSkewed', 'the clock of this machine is wrong'],
  ['ExpiredToken', 'the session token has expired'],
]);

/** A store cannot be used, or what it contains cannot. The message says why. */
export class StoreError extends UserError {
  override readonly exitStatus = 1;
  /** Whether another attempt may succeed. */
  readonly isTemporary: boolean;

  constructor(message: string, isTemporary = false) {
    super(message);
    this.isTemporary = isTemporary;
  }
}

/** An object that was read. */
export interface ReadObject {
  readonly body: Buffer;
  /** Identifies its version, if the store says so. */
  readonly etag: string | undefined;
}

/** How an object is written. */
interface WriteOptions {
  /** The version to replace, null: none. Undefined: whatever there is. */
  readonly replaces?: string | null | undefined;
  /** For caches in front of the store. Undefined: an object never changes, as a hash is its name. */
  readonly cacheControl?: string;
}

/** How a write ended: not every store can write on the condition that an object has a version. */
type Written = 'written' | 'replaced meanwhile' | 'unconditional writes only';

interface StoreOptions {
  /** Ends all requests. */
  readonly signal?: AbortSignal;
  /** How often a request is sent at most. */
  readonly attempts?: number;
}

type Fields = Readonly<Record<string, string>>;

export type Store = Awaited<ReturnType<typeof openStore>>;

/** Opens a store of releases. What signs its requests is loaded only then. Keys are paths in its folder. */
export async function openStore(location: StoreLocation, options: StoreOptions = {}) {
  const { name: storeName, url: folderUrl, credentials } = location;
  const { signal: ended, attempts = maxAttempts } = options;
  const { AwsV4Signer } = await import('aws4fetch');
  const cache = new Map<string, ArrayBuffer>();

  /** Sends a request until its response can be used, or another attempt would not help. */
  async function request<Result>(
    method: 'GET' | 'PUT',
    key: string,
    { headers, size, body }: { headers: Fields; size: number; body?: Buffer },
    use: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const url = folderUrl + key;
    const unsigned = { 'x-amz-content-sha256': hash('sha256', body ?? ''), ...headers };
    const toSign = { ...credentials, method, url, headers: unsigned, service: 's3', cache };
    for (let attempt = 1; ; attempt += 1) {
      const late = AbortSignal.timeout(requestTimeout + Math.ceil(size / slowestTransfer));
      const signal = ended ? AbortSignal.any([ended, late]) : late;
      try {
        const signed = await new AwsV4Signer(toSign).sign();
        // A store that compresses would change the ETag.
        signed.headers.set('accept-encoding', 'identity');
        const fields = { method, headers: signed.headers, body: body as Buffer<ArrayBuffer> };
        const response = await fetch(url, { ...fields, signal, redirect: 'manual' });
        try {
          return await use(response);
        } finally {
          await response.body?.cancel().catch(() => {});
        }
      } catch (error) {
        ended?.throwIfAborted();
        const reason = late.aborted
          ? new StoreError(`${key} took too long`, true)
          : toStoreError(error, key);
        if (!reason.isTemporary || attempt === attempts) throw reason;
      }
      const wait = retryDelay(attempt, firstDelay) * (0.5 + Math.random());
      await delay(wait, undefined, ended && { signal: ended });
    }
  }

  return {
    name: storeName,

    /**
     * Reads an object.
     *
     * @param maxSize bytes; of a larger object, only the beginning is read, which has another hash
     * @param etag of the known version
     * @returns undefined if there is none; `unchanged` if it has this ETag
     * @throws StoreError
     */
    read(
      key: string,
      maxSize: number,
      etag?: string,
    ): Promise<ReadObject | 'unchanged' | undefined> {
      const headers: Fields = etag === undefined ? {} : { 'if-none-match': etag };
      return request('GET', key, { headers, size: maxSize }, async (response) => {
        if (response.status === 304) return 'unchanged';
        if (response.status === 404) return undefined;
        await expect(response, key);
        const body = await beginningOf(response, maxSize);
        return { body, etag: response.headers.get('etag') ?? undefined };
      });
    },

    /** Writes an object, if `replaces` is its version. @throws StoreError */
    write(
      key: string,
      body: Buffer,
      { replaces, cacheControl }: WriteOptions = {},
    ): Promise<Written> {
      const size = body.length;
      const headers: Record<string, string> = { 'content-type': 'application/octet-stream' };
      if (cacheControl !== undefined) headers['cache-control'] = cacheControl;
      if (replaces === null) headers['if-none-match'] = '*';
      else if (replaces !== undefined) headers['if-match'] = replaces;
      return request('PUT', key, { headers, size, body }, async (response) => {
        const { status } = response;
        // 409: another write of this object is under way.
        if (replaces !== undefined && (status === 412 || status === 409))
          return 'replaced meanwhile';
        if (replaces !== undefined && status === 501) return 'unconditional writes only';
        await expect(response, key);
        return 'written';
      });
    },
  };
}

/** @throws StoreError when a response is no success, which says what the store says */
async function expect(response: Response, key: string): Promise<void> {
  if (response.ok) return;
  const { status } = response;
  const text = await beginningOf(response, maxErrorSize).catch(() => '');
  const [, code = ''] = /<Code>(\w{1,60})<\/Code>/.exec(text.toString()) ?? [];
  const denied = status === 401 || status === 403;
  const hint =
    errorHints.get(code) ??
    (denied ? 'the credentials are wrong, or lack permission for this' : code);
  const isTemporary = status >= 500 || status === 429 || status === 408;
  throw new StoreError(
    `the request for ${key} failed with ${status}${hint && `: ${hint}`}`,
    isTemporary,
  );
}

/** Reads a body, or more than the bytes that it may have. @throws StoreError when it stops in the middle */
async function beginningOf({ body }: Response, maxSize: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const reader = body?.getReader();
  const stopped = () => new StoreError('the store stopped in the middle of a response', true);
  try {
    for (let size = 0; reader && size <= maxSize; ) {
      const { value } = await inTime(reader.read(), pieceTimeout, stopped);
      if (!value) break;
      pieces.push(value);
      size += value.length;
    }
  } finally {
    void reader?.cancel().catch(() => {});
  }
  return Buffer.concat(pieces);
}

/** Errors of the network are temporary. */
function toStoreError(error: unknown, key: string): StoreError {
  if (error instanceof StoreError) return error;
  // `fetch` only says that it failed.
  const { cause = error } = error as Error;
  const { code, message } = cause as NodeJS.ErrnoException;
  return new StoreError(`${key} could not be transferred: ${message || code}`, true);
}
