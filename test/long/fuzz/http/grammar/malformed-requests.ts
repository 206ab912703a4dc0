import type { Random } from '../../random.ts';

/**
 * Creates a request that a server must reject, as its end or its host is unclear (RFC 9112). The server must not read
 * the following bytes as a request.
 *
 * @param head a request line and header fields without the empty line at the end
 */
export function malformedRequest(random: Random, head: string): string {
  const line = random.pick(brokenLines);
  const [firstLine = '', ...fields] = head.split('\r\n');
  // HTTP/1.0 has no transfer codings (6.1).
  const isOld = line === oldWithChunks;
  const requestLine = isOld ? firstLine.replace(/1$/, '0') : firstLine;
  fields.splice(random.below(fields.length + 1), 0, ...line);
  return `${[requestLine, ...fields].join('\r\n')}\r\n\r\n${random.pick(smuggled)}`;
}

/** Whether Node's parser rejects names with a space, and empty ones. The one of Node 20.19.0 does so only in framing fields. */
const isStrict = Number.parseInt(process.versions['llhttp'] ?? '', 10) >= 9;

const oldWithChunks = ['Transfer-Encoding: chunked'];

/** Field lines that make a request malformed. */
const brokenLines: readonly (readonly string[])[] = [
  oldWithChunks,
  // Where the body ends (6.1, 6.3).
  ['Content-Length: 4', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Content-Length: 0'],
  ['Content-Length: 4', 'Content-Length: 5'],
  ['Content-Length: 4, 5'],
  ['Content-Length: +4'],
  ['Content-Length: -1'],
  ['Content-Length: 0x4'],
  ['Content-Length: 4 4'],
  ['Content-Length: four'],
  ['Content-Length: 4.0'],
  ['Content-Length: 99999999999999999999999'],
  ['Transfer-Encoding: foo'],
  ['Transfer-Encoding: identity'],
  ['Transfer-Encoding: chunked, foo'],
  ['Transfer-Encoding: foo, chunked'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding: foo'],
  ['Transfer-Encoding: xchunked'],
  ['Transfer-Encoding: "chunked"'],
  ['Transfer-Encoding: chunked;q=1'],
  ['Transfer-Encoding: chunke\u00ff'],
  // Field lines (5.1).
  ...(isStrict ? [['Host : elsewhere'], ['X-Space : x'], [': nameless']] : []),
  ['nonsense'],
  ['X(Name): x'],
  ['X\u00e9: x'],
  ['X\0: x'],
  ['X-Null: a\0b'],
  ['X-Control: a\u0001b'],
  ['Transfer-Encoding\t: chunked'],
  ['X"Y: x'],
];

/** Bytes that would get a response if they were read as a request. */
const smuggled = [
  '',
  '4\r\nabcd\r\n0\r\n\r\n',
  '0\r\n\r\nGET /neet HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /jeemain HTTP/1.1\r\nHost: x\r\n\r\n',
  'abcdGET /jeemain HTTP/1.1\r\nHost: x\r\n\r\n',
];
