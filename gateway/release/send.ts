/**
 * Sends the responses of a release: chooses the variant, handles conditional requests, and reads or streams the body.
 */
import { pipeline } from 'node:stream/promises';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import {
  anyOrigin,
  cacheControl,
  missingPageHeaders,
  missingPageVary,
} from '../../build/release/headers.ts';
import { missingPage, pageFolders } from '../../build/release/urls.ts';
import { type GatewayResponse, type Middleware, sendError, toFields, writeHead } from '../http.ts';
import { isProtected, type Target } from '../target.ts';
import type { Release, Releases } from './current-release.ts';
import { chunkSize, DamagedBody, DiskReads, readChunks, readWhole } from './files.ts';
import { type Entry, headerOf, type Pack } from './pack.ts';
import { type Coding, kindOf, type Resource, type Variant } from './resource.ts';

const missingPublic = { 'Cache-Control': cacheControl.missing, ...anyOrigin };

/** Serves what needs no key; calls `next` for protected targets. */
export function servePublic(releases: Releases, bodies: BodyCache): Middleware {
  const serve = serveFrom(releases, bodies, missingPublic);
  return (request, response, next) =>
    isProtected(response.locals.target) ? next() : serve(request, response, next);
}

/** Serves what needs a key, which the middleware before has checked. */
export function serveProtected(releases: Releases, bodies: BodyCache): Middleware {
  return serveFrom(releases, bodies);
}

/**
 * Serves from the current release.
 *
 * @param missing headers of a 404
 */
function serveFrom(
  releases: Releases,
  bodies: BodyCache,
  missing?: Readonly<Record<string, string>>,
): Middleware {
  function serve(
    release: Release,
    request: Request,
    response: GatewayResponse,
  ): Promise<void> | void {
    const found = release.find(response.locals.target);
    if (typeof found !== 'string')
      return 'entries' in found
        ? sendPack(request, response, found, bodies)
        : sendResource(request, response, found, bodies);
    const page = missing && pageInsteadOf(release, response.locals.target);
    if (!page) return sendError(response, found, missing);
    if (request.accepts('json', 'html') === 'html') return sendMissingPage(response, page, bodies);
    return sendError(response, found, { ...missing, ...missingPageVary });
  }

  return (request, response) =>
    serve(releases.current, request, response)?.catch((error: unknown) => {
      if (error instanceof DamagedBody) bodies.damaged += 1;
      throw error;
    });
}

/** The page for a missing page of the docs or the dashboard. */
function pageInsteadOf(release: Release, target: Target): Variant | undefined {
  const folder = pageFolders.find(
    (name) => target.kind === 'page' && target.path.startsWith(`${name}/`),
  );
  const found = folder && release.find({ kind: 'page', path: `${folder}/${missingPage}` });
  return typeof found === 'object' && 'identity' in found ? found.identity : undefined;
}

const missingPageFields = toFields(missingPageHeaders);

async function sendMissingPage(
  response: GatewayResponse,
  page: Variant,
  bodies: BodyCache,
): Promise<void> {
  const body = await bodies.read(page);
  const length = ['Content-Length', String(page.object.size)];
  writeHead(response, 404, [...response.locals.fields, ...length, ...missingPageFields]);
  response.end(body, 'latin1');
}

/**
 * Sends a resource: 304 to a client that has it, else 200 and its bytes.
 *
 * @returns a promise if the bytes have to be read first
 * @throws DamagedBody before anything was sent
 */
function sendResource(
  request: Request,
  response: GatewayResponse,
  resource: Resource,
  bodies: BodyCache,
): Promise<void> | void {
  const variant = chooseVariant(resource, request.headers['accept-encoding']);
  const { object, etag, kind, body } = variant;
  const head = { size: object.size, etag, kind, body };
  return sendCached(request, response, head, bodies, {
    whole: () => readWhole(variant, bodies.disk),
    pieces: () => readChunks(variant, bodies.disk),
  });
}

/** Two ways to read the same bytes. */
interface Source {
  readonly whole: () => Promise<Buffer>;
  readonly pieces: () => AsyncGenerator<Buffer>;
}

/** Sends 304, or 200 and bytes that are cached, read whole into the cache, or too many for it. */
function sendCached(
  request: Request,
  response: GatewayResponse,
  head: Head,
  bodies: BodyCache,
  { whole, pieces }: Source,
): Promise<void> | void {
  if (sendNotModified(request, response, head)) return;
  const body = bodies.get(head);
  if (body !== undefined) return sendBody(response, head, body);
  if (head.size > bodies.largest) return sendPieces(response, head, pieces());
  return bodies.load(head.etag, whole).then((read) => sendBody(response, head, read));
}

/** What the header of a response depends on. */
interface Head extends CachedBody {
  readonly kind: Variant['kind'];
}

/** Sends 304 to a client that has the response. @returns whether it has */
function sendNotModified(
  { headers }: Request,
  response: GatewayResponse,
  { etag, kind }: Head,
): boolean {
  if (!matches(headers['if-none-match'], etag)) return false;
  writeHead(response, 304, [...response.locals.fields, 'ETag', etag, ...kind.validators]);
  response.end();
  return true;
}

/** Content codings, the smallest first: the order for clients that weight several equally. */
const codings: readonly Coding[] = ['br', 'gzip', 'identity'];

/** In a value without weights, as nearly all are: a coding by its name, or any. Faster than a parser. */
const listed = { br: /(?:^|,)\s*(?:br|\*)\s*(?:,|$)/i, gzip: /(?:^|,)\s*(?:gzip|\*)\s*(?:,|$)/i };

/** Negotiates the coding (RFC 9110, 12.5.3). A client that accepts none of them gets `identity`. */
function chooseVariant(resource: Resource, acceptEncoding: string | undefined): Variant {
  if (acceptEncoding === undefined || !(resource.br || resource.gzip)) return resource.identity;
  if (!acceptEncoding.includes(';')) {
    const br = listed.br.test(acceptEncoding) ? resource.br : undefined;
    const gzip = listed.gzip.test(acceptEncoding) ? resource.gzip : undefined;
    return br ?? gzip ?? resource.identity;
  }
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  for (const coding of negotiator.encodings(codings, { preferred: codings })) {
    const variant = resource[coding as Coding];
    if (variant) return variant;
  }
  return resource.identity;
}

/** Whether If-None-Match names the tag, by the weak comparison of RFC 9110, 13.1.2. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag);
}

function sendBody(response: GatewayResponse, head: Head, body: Body): void {
  writeOk(response, head);
  response.end(body, 'latin1');
}

const packKind = kindOf('application/zip', 'identity', 'protected');

/** Sends a ZIP file. */
function sendPack(
  request: Request,
  response: GatewayResponse,
  pack: Pack,
  bodies: BodyCache,
): Promise<void> | void {
  const { etag, size } = pack;
  return sendCached(request, response, { etag, size, kind: packKind }, bodies, {
    whole: () => wholePack(pack, bodies),
    pieces: () => packBytes(pack, bodies),
  });
}

async function wholePack(pack: Pack, bodies: BodyCache): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of packBytes(pack, bodies)) pieces.push(piece);
  return Buffer.concat(pieces, pack.size);
}

/** Error codes of a pipeline to a response whose client disconnected. */
const clientGone = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ECONNRESET',
  'EPIPE',
]);

/**
 * Sends pieces as fast as the client takes them.
 *
 * @throws what the pieces throw: at the first one before anything was sent, at the others when the status was sent
 */
async function sendPieces(
  response: GatewayResponse,
  head: Head,
  pieces: AsyncGenerator<Buffer>,
): Promise<void> {
  try {
    const first = await pieces.next();
    if (response.destroyed) return;
    if (first.done) throw new DamagedBody('The body is empty.');
    writeOk(response, head);
    const all = async function* () {
      yield first.value;
      yield* pieces;
    };
    await pipeline(all(), response);
  } catch (error) {
    if (!clientGone.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    // A client that is gone before the second piece leaves a file open.
    await pieces.return(undefined);
  }
}

function writeOk(response: GatewayResponse, { etag, size, kind }: Head): void {
  const own = ['ETag', etag, 'Content-Length', String(size)];
  writeHead(response, 200, [...response.locals.fields, ...own, ...kind.fields]);
}

/**
 * The bytes of a pack. Those of an entry come only if they are the stored ones; otherwise the client gets a file that
 * is cut short.
 *
 * @throws DamagedBody
 */
export async function* packBytes(pack: Pack, bodies: BodyCache): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for (const entry of pack.entries) {
    for await (const piece of entryBytes(entry, bodies)) {
      waiting.push(piece);
      size += piece.length;
      if (size < chunkSize) continue;
      yield Buffer.concat(waiting, size);
      waiting = [];
      size = 0;
    }
  }
  yield Buffer.concat([...waiting, pack.directory()]);
}

async function* entryBytes(entry: Entry, bodies: BodyCache): AsyncGenerator<Buffer> {
  const { variant, before, after } = entry;
  const { size } = variant.object;
  yield headerOf(entry);
  if (size <= chunkSize) {
    const body = await bodies.read(variant);
    const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
    yield bytes.subarray(before, size - after);
    return;
  }
  let position = 0;
  for await (const chunk of readChunks(variant, bodies.disk)) {
    const start = Math.max(0, before - position);
    const end = Math.min(chunk.length, size - after - position);
    position += chunk.length;
    if (end > start) yield chunk.subarray(start, end);
  }
}

/** Bytes of the largest cached body; larger ones are streamed. */
const maxCached = 256 * 1024;

/**
 * Bytes of the largest body cached as a string, each byte a character. Node sends a string together with the header in
 * one write, and V8 soon frees one that leaves the cache, while 64 MB of buffers can pile up. Larger bodies take longer
 * to send as a string.
 */
const maxString = 64 * 1024;

/** The bytes of a body, or the same as latin1 characters. */
export type Body = Buffer | string;

/** What identifies a body in the cache. */
interface CachedBody {
  readonly etag: string;
  /** Bytes. */
  readonly size: number;
  /** The body itself, if it is always in memory. */
  readonly body?: Body | undefined;
}

/**
 * Estimates the memory of a body in bytes: half as much more is unused or not yet freed (`npm run bench -- memory`).
 */
function memoryOf(body: Body): number {
  return Math.ceil(1.5 * body.length) + 200;
}

/**
 * Caches the most recently used bodies within a bound. The cache key is the ETag, and so the bytes: a new release
 * shares the bodies that did not change, and no response gets the body of another.
 */
export class BodyCache {
  /** Bytes of the largest body to be cached. */
  readonly largest: number;
  /** Bytes that all cached bodies may take. */
  readonly bound: number;
  readonly disk = new DiskReads();
  /** Requests for bodies: cached, read from disk, too large to be cached. */
  readonly requests = { hit: 0, miss: 0, streamed: 0 };
  /** Requests whose body is damaged on disk, and was not sent. */
  damaged = 0;
  readonly #bodies: LRUCache<string, Body>;
  readonly #loading = new Map<string, Promise<Body>>();

  /** @param bound bytes that all cached bodies may take */
  constructor(bound: number) {
    this.largest = Math.min(maxCached, bound);
    this.bound = bound;
    this.#bodies = new LRUCache({ maxSize: bound, sizeCalculation: memoryOf });
  }

  /** Bytes that the cached bodies take. */
  get bytes(): number {
    return this.#bodies.calculatedSize;
  }

  /** The body if it is cached. */
  get({ etag, size, body: own }: CachedBody): Body | undefined {
    const body = own ?? this.#bodies.get(etag);
    if (body !== undefined) this.requests.hit += 1;
    else if (size > this.largest) this.requests.streamed += 1;
    else this.requests.miss += 1;
    return body;
  }

  /** The body of a variant, cached or read into the cache. @throws DamagedBody */
  async read(variant: Variant): Promise<Body> {
    const { etag, object, body } = variant;
    const known = this.get({ etag, size: object.size, body });
    return known ?? this.load(etag, () => readWhole(variant, this.disk));
  }

  /**
   * Reads bytes into the cache; concurrent calls for the same ones share one read.
   *
   * @throws what `read` throws
   */
  load(etag: string, read: () => Promise<Buffer>): Promise<Body> {
    const loading =
      this.#loading.get(etag) ?? this.#load(etag, read).finally(() => this.#loading.delete(etag));
    this.#loading.set(etag, loading);
    return loading;
  }

  async #load(etag: string, read: () => Promise<Buffer>): Promise<Body> {
    const bytes = await read();
    const body = bytes.length <= maxString ? bytes.toString('latin1') : bytes;
    this.#bodies.set(etag, body);
    return body;
  }
}
