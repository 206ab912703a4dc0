import type { Draw } from '../../draw.ts';
import type { Field } from '../request.ts';

/** A body on the wire, and the fields that frame it. */
export interface FramedBody {
  readonly fields: readonly Field[];
  readonly bytes: string;
}

/** A body of any kind, framed by its length or in chunks; the client may ask for 100 Continue before it. */
export function anyBody(draw: Draw): FramedBody {
  const [type, body] = draw.pick(contents);
  const { fields, bytes } = draw.chance(0.5)
    ? { fields: [['Content-Length', String(body.length)] as const], bytes: body }
    : { fields: [draw.pick(chunked)], bytes: chunksOf(draw, body) + draw.pick(lastChunks) };
  const before: Field[] = [];
  if (draw.chance(0.9)) before.push(['Content-Type', draw.chance(0.9) ? type : draw.pick(types)]);
  if (draw.chance(0.1)) before.push(['Expect', draw.pick(['100-continue', '100-Continue'])]);
  return { fields: [...before, ...fields], bytes };
}

/** Chunks, the last of which is malformed (RFC 9112, 7.1). */
export function malformedChunks(draw: Draw): FramedBody {
  const [type, body] = draw.pick(contents);
  const valid = chunksOf(draw, body.slice(0, draw.below(body.length + 1)));
  return { fields: [['Content-Type', type], draw.pick(chunked)], bytes: `${valid}${draw.pick(badChunks)}\r\n\r\n` };
}

/** Chunks of draw sizes, with extensions, without the last chunk. */
function chunksOf(draw: Draw, body: string): string {
  let bytes = '';
  for (let at = 0; at < body.length; ) {
    const part = body.slice(at, at + draw.between(1, draw.chance(0.2) ? 4 : body.length));
    const size = part.length.toString(16).padStart(draw.below(5), '0');
    bytes += `${draw.chance(0.5) ? size : size.toUpperCase()}${draw.pick(extensions)}\r\n${part}\r\n`;
    at += part.length;
  }
  return bytes;
}

const chunked: readonly Field[] = [
  ['Transfer-Encoding', 'chunked'],
  ['Transfer-Encoding', 'Chunked'],
];
const extensions = ['', '', '', ';name=value', ';name', ';name="quoted"'];
const lastChunks = ['0\r\n\r\n', '0\r\n\r\n', '000\r\n\r\n', '0\r\nX-Trailer: x\r\n\r\n', '0;x\r\nHost: y\r\n\r\n'];
const badChunks = ['no size', '-1', '+4', ' 4', '0x4', '4 4', 'g', '\0', '\u00e9', 'ffffffffffffffffff', '1\r\nab\r\n'];

/** A body that would be read as a request if a server ignored its framing. */
const inner = 'GET /jeemain HTTP/1.1\r\nHost: localhost\r\n\r\n';
const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const types = [
  json,
  form,
  'application/json; charset=utf-16',
  'application/json; charset=nonsense',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/problem+json',
  '/',
  '',
];
const contents: readonly (readonly [type: string, body: string])[] = [
  ['text/plain', ''],
  ['text/plain', inner],
  ['application/octet-stream', '\0\u00ff'.repeat(100)],
  ...[
    '{"email":"a@b.example","password":"a password"}',
    '{"email":"a@b.example","password":"a password","callbackURL":"/dashboard/"}',
    '{"email":"a@b.example","password":"a password","callbackURL":"https://elsewhere.example"}',
    '{"email":"a@b.example","password":"\\u00"}',
    '{"email":"A@B.example\\u0000","password":""}',
    '{"email":{"a":1},"password":["x"]}',
    `{"email":"${'a'.repeat(300)}@b.example","password":"${'p'.repeat(200)}"}`,
    '{"name":"key","expiresIn":null}',
    '{"overlap":1e309}',
    '{"newPassword":"a password","token":"x"}',
    '{"provider":"google"}',
    '{"__proto__":{"email":"a@b.example"},"constructor":1}',
    '{}',
    '[]',
    '[',
    'null',
    '""',
    '\u00ef\u00bb\u00bf{}',
    '{"email":"\u00ff\u00fe"}',
    `${'['.repeat(3_000)}`,
    `{"email":"${'x'.repeat(20_000)}"}`,
  ].map((body) => [json, body] as const),
  ...[
    'token=x',
    'token=',
    'token=%',
    'token=a&token=b',
    'token[a]=b',
    'a=b&'.repeat(2_000),
    '&&&=',
    'token=%00%ff',
  ].map((body) => [form, body] as const),
];
