import type { Random } from '../../random.ts';

/** Mutates bytes in ways that are known to break parsers. */
export function mutateBytes(random: Random, text: string): string {
  let bytes = text;
  for (
    let times = random.weighted([
      [5, 1],
      [3, 2],
      [2, 4],
      [1, 12],
    ]);
    times > 0;
    times -= 1
  ) {
    const at = random.below(bytes.length + 1);
    const end = Math.min(
      bytes.length,
      at +
        random.weighted([
          [6, 1],
          [3, random.below(12)],
          [1, random.below(200)],
        ]),
    );
    const [before, part, after] = [bytes.slice(0, at), bytes.slice(at, end), bytes.slice(end)];
    bytes = random.pick<() => string>([
      () => before + after,
      () => before + part + part + after,
      () => before + random.pick(oddBytes) + after,
      () => before + random.pick(oddBytes) + part + after,
      () => before + random.pick(insertions) + part + after,
      () =>
        before +
        String.fromCharCode((part.charCodeAt(0) || 0) ^ (1 << random.below(8))) +
        part.slice(1) +
        after,
      () => before + part.repeat(random.below(40)) + after,
      () => before,
      () => after + part + before,
      () => bytes.replace(/\r\n/g, random.pick(['\n', '\r', '\r\r\n', ' \r\n', '\r\n '])),
      () => before + [...part].map(() => String.fromCharCode(random.below(256))).join('') + after,
    ])();
  }
  return bytes;
}

const oddBytes = [
  '\0',
  '\t',
  '\n',
  '\r',
  ' ',
  ':',
  '%',
  '/',
  '?',
  '#',
  '"',
  '\u007f',
  '\u0080',
  '\u00ff',
  '\u000b',
  ';',
  ',',
];
const insertions = [
  '\r\n',
  '\r\n\r\n',
  '\n\n',
  '\r\n ',
  '\r\n\t',
  ' HTTP/1.1',
  ' HTTP/1.1\r\n',
  ' HTTP/9.9',
  'HTTP/1.1 200 OK\r\n\r\n',
  'GET /neet HTTP/1.1\r\nHost: x\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'Content-Length: 3\r\n',
  'Content-Length: 18446744073709551615\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding:\u000bchunked\r\n',
  'Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n',
  'Transfer-Encoding: chunked\r\n\r\n-1\r\n',
  'Transfer-Encoding: chunked\r\n\r\n5;x="\r\n"\r\nabcde\r\n0\r\nTrailer: x\r\n\r\n',
  'Connection: close\r\n',
  'Connection: Transfer-Encoding\r\n',
  'Connection: Upgrade\r\nUpgrade: websocket\r\n',
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n',
  'Expect: 100-continue\r\n',
  'Host: y\r\n',
  'CONNECT x:1 HTTP/1.1\r\n\r\n',
  'HEAD /neet HTTP/1.1\r\nHost: x\r\n\r\n',
  '0\r\n\r\n',
  '\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003',
  'x'.repeat(17_000),
  'X-Many: x\r\n'.repeat(3000),
];
