/** A parsed HTTP response. */
export interface HttpResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** Whether it has no body because the request was HEAD. */
  readonly isHead: boolean;
}

/** Bytes that are not a valid response. */
export class InvalidResponse extends Error {}

const statusLine = /^HTTP\/1\.1 (100|[2-5][0-9]{2}) [\t\x20-\x7e\x80-\xff]*$/;
const fieldLine =
  /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*((?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?)[\t ]*$/;
/** Fields that may occur only once. */
const single = new Set([
  'content-length',
  'transfer-encoding',
  'etag',
  'content-type',
  'cache-control',
  'location',
]);

export function readHead(head: string): Pick<HttpResponse, 'status' | 'fields'> {
  const [first = '', ...lines] = head.split('\r\n');
  const [, status] = statusLine.exec(first) ?? [];
  if (status === undefined)
    throw new InvalidResponse(`no status line: ${JSON.stringify(first.slice(0, 100))}`);
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ''] = fieldLine.exec(line) ?? [];
    if (name === undefined)
      throw new InvalidResponse(`no field line: ${JSON.stringify(line.slice(0, 100))}`);
    const key = name.toLowerCase();
    const earlier = fields.get(key);
    if (earlier !== undefined && single.has(key)) throw new InvalidResponse(`two fields ${name}`);
    fields.set(key, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return { status: Number(status), fields };
}

/** A body, and its length on the wire (RFC 9112, 6.3); undefined while it is incomplete. */
export function readBody(fields: HttpResponse['fields'], following: Buffer, isAtEnd: boolean) {
  if (fields.has('transfer-encoding')) {
    if (fields.get('transfer-encoding') !== 'chunked' || fields.has('content-length'))
      throw new InvalidResponse('a body with two kinds of framing');
    return readChunks(following);
  }
  const length = fields.get('content-length');
  if (length === undefined) {
    if (fields.get('connection') !== 'close') throw new InvalidResponse('a body without framing');
    return isAtEnd ? { body: following, length: following.length } : undefined;
  }
  if (!/^[0-9]+$/.test(length)) throw new InvalidResponse(`a body of the length ${length}`);
  if (following.length < Number(length)) return undefined;
  return { body: following.subarray(0, Number(length)), length: Number(length) };
}

/** Decodes chunks, without trailers (RFC 9112, 7.1). */
function readChunks(bytes: Buffer) {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = bytes.toString('latin1', at, end);
    if (!/^[0-9a-f]{1,8}$/i.test(size))
      throw new InvalidResponse(`a chunk of the size ${JSON.stringify(size.slice(0, 20))}`);
    const next = end + 2 + Number.parseInt(size, 16);
    if (bytes.length < next + 2) return undefined;
    if (bytes.toString('latin1', next, next + 2) !== '\r\n')
      throw new InvalidResponse('a chunk without an end');
    parts.push(bytes.subarray(end + 2, next));
    at = next + 2;
    if (next === end + 2) return { body: Buffer.concat(parts), length: at };
  }
}
