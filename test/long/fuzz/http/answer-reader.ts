/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

interface Framed {
  readonly body: Buffer;
  /** Bytes that it took on the wire. */
  readonly length: number;
}

/**
 * Whether an answer is to a HEAD. A server that cannot read its target may not know yet that it is one: it answers with a
 * body then, and closes the connection.
 */
export type ToHead = boolean | 'if it was read' | undefined;

/** Bytes that are no answer. */
export class NoAnswer extends Error {}

const statusLine = /^HTTP\/1\.1 ([1-5][0-9]{2}) [\t\x20-\x7e\x80-\xff]*$/;
const fieldLine =
  /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*((?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?)[\t ]*$/;
/** Fields of which several would be a guess which one counts. */
const single = new Set([
  'content-length',
  'transfer-encoding',
  'etag',
  'content-type',
  'cache-control',
  'location',
]);
const headEnd = Buffer.from('\r\n\r\n');

/** Takes answers off a stream, as strictly as RFC 9112 lets a server write them. */
export class AnswerReader {
  #rest: Buffer = Buffer.alloc(0);
  #isAtEnd = false;

  /** Whether bytes stand here that are no whole answer. */
  get hasRest(): boolean {
    return this.#rest.length > 0;
  }

  add(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
  }

  /** The stream has ended: what comes until its end is whole now. */
  end(): void {
    this.#isAtEnd = true;
  }

  /**
   * The next answer; undefined while it is not whole.
   *
   * @param isToHead whether it answers a HEAD; undefined: that is to be seen from what follows
   * @throws NoAnswer
   */
  next(isToHead: ToHead): Answer | undefined {
    const end = this.#rest.indexOf(headEnd);
    if (end < 0) {
      if (
        this.#rest.length > 0 &&
        !this.#rest.subarray(0, 7).equals(Buffer.from('HTTP/1.').subarray(0, this.#rest.length))
      )
        throw new NoAnswer('these bytes begin no answer');
      return undefined;
    }
    const { status, fields } = readHead(this.#rest.toString('latin1', 0, end));
    const start = end + headEnd.length;
    const framed = this.#framed(status, fields, this.#rest.subarray(start), isToHead);
    if (!framed) return undefined;
    this.#rest = this.#rest.subarray(start + framed.length);
    return { status, fields, body: framed.body };
  }

  /** The body as it is framed (RFC 9112, 6.3); undefined while there is too little. */
  #framed(status: number, fields: Answer['fields'], following: Buffer, isToHead: ToHead): Framed | undefined {
    const isBare = status < 200 || status === 204 || status === 304;
    const wasRead = isToHead === 'if it was read' && fields.get('connection') !== 'close';
    const isWithout = typeof isToHead === 'boolean' ? isToHead : wasRead || this.#followsHead(following);
    if (isBare || isWithout) return { body: Buffer.alloc(0), length: 0 };
    if (fields.has('transfer-encoding')) {
      if (fields.get('transfer-encoding') !== 'chunked' || fields.has('content-length'))
        throw new NoAnswer('two ways to frame one body');
      return unchunked(following);
    }
    const length = fields.get('content-length');
    if (length === undefined) {
      if (fields.get('connection') !== 'close') throw new NoAnswer('a body without an end');
      return this.#isAtEnd ? { body: following, length: following.length } : undefined;
    }
    if (!/^[0-9]+$/.test(length)) throw new NoAnswer(`a body of the length ${length}`);
    if (following.length < Number(length)) return undefined;
    return { body: following.subarray(0, Number(length)), length: Number(length) };
  }

  #followsHead(following: Buffer): boolean {
    if (following.length === 0) return this.#isAtEnd;
    return following.subarray(0, 5).equals(Buffer.from('HTTP/').subarray(0, following.length));
  }
}

function readHead(head: string): Omit<Answer, 'body'> {
  const [first = '', ...lines] = head.split('\r\n');
  const [, status] = statusLine.exec(first) ?? [];
  if (status === undefined) throw new NoAnswer(`no status line: ${JSON.stringify(first.slice(0, 100))}`);
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ''] = fieldLine.exec(line) ?? [];
    if (name === undefined) throw new NoAnswer(`no field line: ${JSON.stringify(line.slice(0, 100))}`);
    const key = name.toLowerCase();
    const earlier = fields.get(key);
    if (earlier !== undefined && single.has(key)) throw new NoAnswer(`two fields ${name}`);
    fields.set(key, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return { status: Number(status), fields };
}

/** Chunks up to the last one, without trailers (RFC 9112, 7.1); undefined while they are not whole. */
function unchunked(bytes: Buffer): Framed | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = bytes.toString('latin1', at, end);
    if (!/^[0-9a-f]{1,8}$/i.test(size))
      throw new NoAnswer(`a chunk of the size ${JSON.stringify(size.slice(0, 20))}`);
    const next = end + 2 + Number.parseInt(size, 16);
    if (bytes.length < next + 2) return undefined;
    if (bytes.toString('latin1', next, next + 2) !== '\r\n') throw new NoAnswer('a chunk without an end');
    parts.push(bytes.subarray(end + 2, next));
    at = next + 2;
    if (next === end + 2) return { body: Buffer.concat(parts), length: at };
  }
}
