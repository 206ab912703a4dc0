import { type Draw, words } from '../../draw.ts';

/**
 * Creates a request that a server must reject, as its end or its host is unclear (RFC 9112). The server must not read
 * the following bytes as a request.
 *
 * @param head a request line and header fields without the empty line at the end
 */
export function malformedRequest(draw: Draw, head: string): string {
  const line = draw.pick(brokenLines);
  const [firstLine = '', ...fields] = head.split('\r\n');
  // HTTP/1.0 has no transfer codings (6.1).
  const isOld = line === oldWithChunks;
  const requestLine = isOld ? firstLine.replace(/1$/, '0') : firstLine;
  fields.splice(draw.below(fields.length + 1), 0, ...line);
  return `${[requestLine, ...fields].join('\r\n')}\r\n\r\n${draw.pick(smuggled)}`;
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

/** Mutates bytes in ways that are known to break parsers. */
export function mutateBytes(draw: Draw, text: string): string {
  let bytes = text;
  for (
    let times = draw.weighted([
      [5, 1],
      [3, 2],
      [2, 4],
      [1, 12],
    ]);
    times > 0;
    times -= 1
  ) {
    const at = draw.below(bytes.length + 1);
    const end = Math.min(
      bytes.length,
      at +
        draw.weighted([
          [6, 1],
          [3, draw.below(12)],
          [1, draw.below(200)],
        ]),
    );
    const [before, part, after] = [bytes.slice(0, at), bytes.slice(at, end), bytes.slice(end)];
    bytes = draw.pick<() => string>([
      () => before + after,
      () => before + part + part + after,
      () => before + draw.pick(oddBytes) + after,
      () => before + draw.pick(oddBytes) + part + after,
      () => before + draw.pick(insertions) + part + after,
      () => before + String.fromCharCode((part.charCodeAt(0) || 0) ^ (1 << draw.below(8))) + part.slice(1) + after,
      () => before + part.repeat(draw.below(40)) + after,
      () => before,
      () => after + part + before,
      () => bytes.replace(/\r\n/g, draw.pick(['\n', '\r', '\r\r\n', ' \r\n', '\r\n '])),
      () => before + [...part].map(() => String.fromCharCode(draw.below(256))).join('') + after,
    ])();
  }
  return bytes;
}

const oddBytes = [
  ...words(`
    : % / ? # " ; ,
  `),
  '\0',
  '\t',
  '\n',
  '\r',
  ' ',
  '\u007f',
  '\u0080',
  '\u00ff',
  '\u000b',
];
// biome-ignore format: a list
const insertions = [
  '\r\n', '\r\n\r\n', '\n\n', '\r\n ', '\r\n\t', ' HTTP/1.1', ' HTTP/1.1\r\n', ' HTTP/9.9', 'HTTP/1.1 200 OK\r\n\r\n',
  'GET /neet HTTP/1.1\r\nHost: x\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'Content-Length: 3\r\n',
  'Content-Length: 18446744073709551615\r\n', 'Transfer-Encoding: chunked\r\n', 'Transfer-Encoding:\u000bchunked\r\n',
  'Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n', 'Transfer-Encoding: chunked\r\n\r\n-1\r\n',
  'Transfer-Encoding: chunked\r\n\r\n5;x="\r\n"\r\nabcde\r\n0\r\nTrailer: x\r\n\r\n', 'Connection: close\r\n',
  'Connection: Transfer-Encoding\r\n', 'Connection: Upgrade\r\nUpgrade: websocket\r\n',
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n',
  'Expect: 100-continue\r\n', 'Host: y\r\n', 'CONNECT x:1 HTTP/1.1\r\n\r\n', 'HEAD /neet HTTP/1.1\r\nHost: x\r\n\r\n',
  '0\r\n\r\n', '\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003',
  'x'.repeat(17_000),
  'X-Many: x\r\n'.repeat(3000),
];
