/** A parsed HTTP response. */
export interface HttpResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

interface FramedBody {
  readonly body: Buffer;
  /** Bytes on the wire. */
  readonly length: number;
}

/**
 * Whether a response is to a HEAD request. If a server cannot parse the target, it may not know the method yet: it then
 * sends a body and closes the connection.
 */
export type HeadResponse = boolean | 'if it was read' | undefined;

/** Bytes that are not a valid response. */
export class InvalidResponse extends Error {}

const statusLine = /^HTTP\/1\.1 (100|[2-5][0-9]{2}) [\t\x20-\x7e\x80-\xff]*$/;
const fieldLine =
  /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*((?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?)[\t ]*$/;
/** Fields that may occur only once. */
const single = new Set(['content-length', 'transfer-encoding', 'etag', 'content-type', 'cache-control', 'location']);
const headEnd = Buffer.from('\r\n\r\n');

/** A strict parser of the responses on a connection (RFC 9112). */
export class ResponseReader {
  #rest: Buffer = Buffer.alloc(0);
  #isAtEnd = false;
  #hasInterim = false;

  /** Whether there was an interim response, `100 Continue` (RFC 9110, 15.2). */
  get hasInterim(): boolean {
    return this.#hasInterim;
  }

  /** Whether there are bytes that are not a complete response. */
  get hasRest(): boolean {
    return this.#rest.length > 0;
  }

  add(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
  }

  /** Marks the end of the stream, which completes a body without a length. */
  end(): void {
    this.#isAtEnd = true;
  }

  /**
   * The next final response; undefined while it is incomplete.
   *
   * @param isHeadResponse whether it is to a HEAD request; undefined if the following bytes must show it
   * @throws InvalidResponse
   */
  next(isHeadResponse: HeadResponse): HttpResponse | undefined {
    const end = this.#rest.indexOf(headEnd);
    if (end < 0) {
      if (
        this.#rest.length > 0 &&
        !this.#rest.subarray(0, 7).equals(Buffer.from('HTTP/1.').subarray(0, this.#rest.length))
      )
        throw new InvalidResponse('bytes that do not start a response');
      return undefined;
    }
    const { status, fields } = readHead(this.#rest.toString('latin1', 0, end));
    const start = end + headEnd.length;
    if (status === 100) {
      this.#hasInterim = true;
      this.#rest = this.#rest.subarray(start);
      return this.next(isHeadResponse);
    }
    const framed = this.#framed(status, fields, this.#rest.subarray(start), isHeadResponse);
    if (!framed) return undefined;
    this.#rest = this.#rest.subarray(start + framed.length);
    return { status, fields, body: framed.body };
  }

  /** The body (RFC 9112, 6.3); undefined while it is incomplete. */
  #framed(
    status: number,
    fields: HttpResponse['fields'],
    following: Buffer,
    isHeadResponse: HeadResponse,
  ): FramedBody | undefined {
    const isBare = status === 204 || status === 304;
    const wasRead = isHeadResponse === 'if it was read' && fields.get('connection') !== 'close';
    const isWithout = typeof isHeadResponse === 'boolean' ? isHeadResponse : wasRead || this.#followsHead(following);
    if (isBare || isWithout) return { body: Buffer.alloc(0), length: 0 };
    if (fields.has('transfer-encoding')) {
      if (fields.get('transfer-encoding') !== 'chunked' || fields.has('content-length'))
        throw new InvalidResponse('a body with two kinds of framing');
      return decodeChunks(following);
    }
    const length = fields.get('content-length');
    if (length === undefined) {
      if (fields.get('connection') !== 'close') throw new InvalidResponse('a body without framing');
      return this.#isAtEnd ? { body: following, length: following.length } : undefined;
    }
    if (!/^[0-9]+$/.test(length)) throw new InvalidResponse(`a body of the length ${length}`);
    if (following.length < Number(length)) return undefined;
    return { body: following.subarray(0, Number(length)), length: Number(length) };
  }

  #followsHead(following: Buffer): boolean {
    if (following.length === 0) return this.#isAtEnd;
    return following.subarray(0, 5).equals(Buffer.from('HTTP/').subarray(0, following.length));
  }
}

function readHead(head: string): Omit<HttpResponse, 'body'> {
  const [first = '', ...lines] = head.split('\r\n');
  const [, status] = statusLine.exec(first) ?? [];
  if (status === undefined) throw new InvalidResponse(`no status line: ${JSON.stringify(first.slice(0, 100))}`);
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ''] = fieldLine.exec(line) ?? [];
    if (name === undefined) throw new InvalidResponse(`no field line: ${JSON.stringify(line.slice(0, 100))}`);
    const key = name.toLowerCase();
    const earlier = fields.get(key);
    if (earlier !== undefined && single.has(key)) throw new InvalidResponse(`two fields ${name}`);
    fields.set(key, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return { status: Number(status), fields };
}

/** Decodes chunks, without trailers (RFC 9112, 7.1); undefined while they are incomplete. */
function decodeChunks(bytes: Buffer): FramedBody | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = bytes.toString('latin1', at, end);
    if (!/^[0-9a-f]{1,8}$/i.test(size))
      throw new InvalidResponse(`a chunk of the size ${JSON.stringify(size.slice(0, 20))}`);
    const next = end + 2 + Number.parseInt(size, 16);
    if (bytes.length < next + 2) return undefined;
    if (bytes.toString('latin1', next, next + 2) !== '\r\n') throw new InvalidResponse('a chunk without an end');
    parts.push(bytes.subarray(end + 2, next));
    at = next + 2;
    if (next === end + 2) return { body: Buffer.concat(parts), length: at };
  }
}
