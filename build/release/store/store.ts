/** The HTTP client of a store of releases. Every request is limited in time and size, and retried a few times. */
import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Agent, Dispatcher } from 'undici';
import { retryDelay } from '../retry-delay.ts';
import { UserError } from '../user-error.ts';
import type { StoreLocation } from './location.ts';

/** Concurrent requests. */
export const parallelRequests = 16;

/** Milliseconds to connect, and between two pieces of a response. */
const pieceTimeout = 5_000;

/** Milliseconds that a request may take, and the slowest transfer: bytes per millisecond. */
const requestTimeout = 30_000;
const slowestTransfer = 64;

/** How often a request is sent at most, and milliseconds before the second time. The wait doubles. */
const maxAttempts = 4;
const firstDelay = 250;

/** Bytes of an error response that are read, so that its connection can be reused. */
const maxErrorSize = 64 * 1024;

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

/** An object with all its bytes. */
export interface StoredObject {
  readonly body: Buffer;
  /** Identifies its version, if the store says so. */
  readonly etag: string | undefined;
}

/** An object to upload. */
export interface Upload {
  /** Is called for each attempt. */
  readonly body: () => Buffer | Readable;
  /** Bytes. */
  readonly size: number;
  /** Hex SHA-256; the store rejects other bytes. */
  readonly sha256: string;
  /** The version to replace, null: none. Undefined: whatever there is. */
  readonly replaces?: string | null;
}

interface StoreOptions {
  /** Ends all requests. */
  readonly signal?: AbortSignal;
  /** How often a request is sent at most. */
  readonly attempts?: number;
}

/** Opens a store. Its client is loaded only then. */
export async function openStore(location: StoreLocation, options: StoreOptions = {}): Promise<Store> {
  const { Agent } = await import('undici');
  // Each request listens to it.
  if (options.signal) setMaxListeners(0, options.signal);
  const agent = new Agent({
    connections: parallelRequests,
    connect: { timeout: pieceTimeout },
    headersTimeout: pieceTimeout,
    bodyTimeout: pieceTimeout,
  });
  return new Store(location, agent, await signerOf(location), options);
}

type Fields = Readonly<Record<string, string>>;

/** Adds the credentials to the header fields of a request. */
type Sign = (method: string, url: string, headers: Fields) => Promise<Fields>;

/** SHA-256 of an empty body. */
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

async function signerOf({ s3 }: StoreLocation): Promise<Sign> {
  if (!s3) return async (_method, _url, headers) => headers;
  const { AwsV4Signer } = await import('aws4fetch');
  const cache = new Map<string, ArrayBuffer>();
  return async (method, url, headers) => {
    const signed = { 'x-amz-content-sha256': emptyHash, ...headers };
    const signer = new AwsV4Signer({ ...s3, method, url, headers: signed, service: 's3', cache });
    return Object.fromEntries((await signer.sign()).headers);
  };
}

type Response = Dispatcher.ResponseData;

/** A store of releases. Keys are paths in its folder. */
export class Store {
  readonly name: string;
  readonly #url: string;
  readonly #agent: Agent;
  readonly #sign: Sign;
  readonly #signal: AbortSignal | undefined;
  readonly #attempts: number;

  constructor({ name, url }: StoreLocation, agent: Agent, sign: Sign, options: StoreOptions) {
    this.name = name;
    this.#url = url;
    this.#agent = agent;
    this.#sign = sign;
    this.#signal = options.signal;
    this.#attempts = options.attempts ?? maxAttempts;
  }

  /**
   * Reads an object.
   *
   * @param maxSize bytes
   * @param etag of the known version
   * @returns undefined if there is none; `unchanged` if it has this ETag
   * @throws StoreError
   */
  read(key: string, maxSize: number, etag?: string): Promise<StoredObject | 'unchanged' | undefined> {
    const headers: Fields = etag === undefined ? {} : { 'if-none-match': etag };
    return this.#request('GET', key, { headers, size: maxSize }, async ({ statusCode, headers, body }) => {
      if (statusCode === 304) return 'unchanged';
      if (statusCode === 404) return undefined;
      this.#expect(statusCode, key, 200);
      const pieces: Buffer[] = [];
      for await (const piece of bounded(body, maxSize, key)) pieces.push(piece);
      return { body: Buffer.concat(pieces), etag: headers['etag']?.toString() };
    });
  }

  /**
   * Passes the bytes of an object to `receive`, again for each attempt.
   *
   * @param size bytes that it must have
   * @throws StoreError
   */
  download(key: string, size: number, receive: (pieces: AsyncIterable<Buffer>) => Promise<void>): Promise<void> {
    return this.#request('GET', key, { size }, async ({ statusCode, body }) => {
      if (statusCode === 404) throw new StoreError(`${key} is missing`);
      this.#expect(statusCode, key, 200);
      await receive(bounded(body, size, key));
    });
  }

  /** Whether there is an object of this size. @throws StoreError */
  has(key: string, size: number): Promise<boolean> {
    return this.#request('HEAD', key, { size: 0 }, async ({ statusCode, headers }) => {
      if (statusCode === 404) return false;
      this.#expect(statusCode, key, 200);
      return Number(headers['content-length']) === size;
    });
  }

  /** Writes an object. @returns false if `replaces` is not its version @throws StoreError */
  write(key: string, { body, size, sha256, replaces }: Upload): Promise<boolean> {
    const headers: Record<string, string> = {
      'content-length': String(size),
      'content-type': 'application/octet-stream',
      'x-amz-content-sha256': sha256,
    };
    // Of the pointer: caches in front of the store must not delay it.
    if (replaces !== undefined) headers['cache-control'] = 'no-cache';
    if (replaces === null) headers['if-none-match'] = '*';
    else if (replaces !== undefined) headers['if-match'] = replaces;
    return this.#request('PUT', key, { headers, size, body }, async ({ statusCode }) => {
      // 409: another write of this object is under way.
      if (replaces !== undefined && (statusCode === 412 || statusCode === 409)) return false;
      this.#expect(statusCode, key, 200, 201, 204);
      return true;
    });
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** Sends a request until its response can be used, or another attempt would not help. */
  async #request<Result>(
    method: Dispatcher.HttpMethod,
    key: string,
    { headers = {}, size, body }: { headers?: Fields; size: number; body?: Upload['body'] },
    use: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const url = this.#url + key;
    for (let attempt = 1; ; attempt += 1) {
      const late = AbortSignal.timeout(requestTimeout + Math.ceil(size / slowestTransfer));
      const signal = this.#signal ? AbortSignal.any([this.#signal, late]) : late;
      try {
        const fields = await this.#sign(method, url, headers);
        const { origin, pathname: path } = new URL(url);
        const request = { origin, path, method, headers: fields, signal, body: body?.() ?? null };
        const response = await this.#agent.request(request);
        try {
          return await use(response);
        } finally {
          await response.body.dump({ limit: maxErrorSize }).catch(() => {});
        }
      } catch (error) {
        this.#signal?.throwIfAborted();
        const reason = late.aborted ? new StoreError(`${key} took too long`, true) : toStoreError(error, key);
        if (!reason.isTemporary || attempt === this.#attempts) throw reason;
      }
      const options = this.#signal ? { signal: this.#signal } : {};
      await delay(retryDelay(attempt, firstDelay) * (0.5 + Math.random()), undefined, options);
    }
  }

  #expect(status: number, key: string, ...expected: readonly number[]): void {
    if (expected.includes(status)) return;
    const hint = status === 401 || status === 403 ? ': the credentials are wrong, or lack permission for this' : '';
    const isTemporary = status >= 500 || status === 429 || status === 408;
    throw new StoreError(`the request for ${key} failed with ${status}${hint}`, isTemporary);
  }
}

/** The pieces of a body, no more bytes than allowed. */
async function* bounded(body: AsyncIterable<Buffer>, maxSize: number, key: string): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > maxSize) throw new StoreError(`${key} is larger than ${maxSize} bytes`);
    yield piece;
  }
}

/** Errors of the network are temporary. */
function toStoreError(error: unknown, key: string): StoreError {
  if (error instanceof StoreError) return error;
  const { code, message, syscall, path } = error as NodeJS.ErrnoException;
  // A file of this machine, not the network.
  if (syscall !== undefined && path !== undefined) throw error;
  return new StoreError(`${key} could not be transferred: ${message || code}`, true);
}
