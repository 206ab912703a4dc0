import type { HostSoftware } from './running-host.ts';

/** A request, byte for byte, and the hosts that respond differently from the gateway. */
export interface HostRequest {
  readonly name: string;
  readonly bytes: string;
  /** Their responses, documented in docs/cdn.md. */
  readonly exceptions?: Partial<Record<HostSoftware['name'], HostResponse>>;
}

export interface HostResponse {
  readonly status: number;
  readonly body: string;
}

const malformedUrl: HostResponse = { status: 400, body: '{"error":"Malformed URL"}' };
const malformedRequest: HostResponse = { status: 400, body: '{"error":"Malformed request"}' };
const examNotFound: HostResponse = { status: 404, body: '{"error":"Exam not found"}' };
const yearNotFound: HostResponse = { status: 404, body: '{"error":"Year not found"}' };
const missingKey: HostResponse = { status: 401, body: '{"error":"Missing API key"}' };
/** Go's own error, which no configuration of Caddy can change. */
const rejectedByGo: HostResponse = { status: 400, body: '400 Bad Request' };

/** A GET with header lines. */
export function get(target: string, headers: readonly string[] = [], exceptions = {}): HostRequest {
  return request('GET', target, headers, exceptions);
}

function request(
  method: string,
  target: string,
  headers: readonly string[] = [],
  exceptions: HostRequest['exceptions'] = {},
): HostRequest {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
  const name = [`${method} ${target}`, ...headers].join(', ').slice(0, 100);
  return { name: JSON.stringify(name), bytes: `${lines.join('\r\n')}\r\n\r\n`, exceptions };
}

const words = (text: string) => text.trim().split(/\s+/);

const ordinaryTargets = [
  ...words(`
    / /?next=/neet /neet?x=1 /neet?a//b /neet/2024?%zz /neet/2024/?x=1 /%6eeet /neet/%32024 /%64ocs/style.css
    /docs/style.css?v=12345678 http://elsewhere.example/neet http://elsewhere.example`),
  `/neet/2024?${'a'.repeat(9_000)}`,
];

const missingTargets = [
  ...words(`
    /none /none/ /none/1999 /neet/1999 /neet/1999/ /NEET /Neet/2024 /NEET/1999 /__proto__ /default /neet;x
    /neet%22 /neet%20 /neet%0a /neet%3F /{http.request.host} /$uri /%C3%A9 /docs/none /docs/a/b/c/d/e
    /docs/index.html /docs/style.css.br /docs/STYLE.css /neet.br /auth /auth/sign-in /AUTH/x /_headers
    /_redirects /404.html /manifest.json`),
  `/${'a'.repeat(12_000)}`,
];

const malformedTargets = [
  ...words(`
    // //neet /neet// /neet//2024 //method //request //malformed /docs//style.css /neet/. /neet/..
    /neet/../neet /docs/../neet /neet/%2e%2E/neet /.. /../neet /%2e /%ff /neet/%ff /%c0%af /a/b/c
    /neet/2024/s1 /neet/2024/s1/pictures/a.png /a/b/c/d/e/f /hosts/objects.tsv/x`),
  `/${'a'.repeat(20_000)}`,
];

const yearTargets = words(`
  /neet/24 /neet/20x4 /neet/index.json /neet/404.html /neet/%D9%A2%D9%A0%D9%A2%D9%A4
  /neet/20x4/s1/physics.json /neet/20x4/s1/diagrams/a.png /hosts/objects.tsv /_errors/no-exam.json
  /public/neet`);

const papers = [
  '/neet/2024/s1/physics.json',
  '/neet/2024/s1/physics.json/',
  '/neet/2024/s1/physics.hi.json',
  '/neet/2024/s1/diagrams/a.png',
  '/neet/2024/s1/%64iagrams/a.png',
  '/none/1999/s1/physics.json',
];

const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'FOO'];

/** Accept (RFC 9110, 12.5.1). */
const accepted = [
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html',
  'application/json',
  'application/json, text/html;q=0.5',
  '*/*',
  'image/png',
  '',
];

/** Accept-Encoding (RFC 9110, 12.5.3). */
// biome-ignore format: a list
const encodings = [
  'br', 'gzip', 'gzip, br', 'GZIP', 'gzip, deflate, br, zstd', 'deflate', 'br;q=0.5, gzip', 'br;q=0.5,gzip;q=0.50',
  'br;q=0.501,gzip;q=0.50', 'br;q=0.49,gzip;q=0.5', 'br ; q=0.2 , gzip; q=0.3', 'br;q=1.0', 'identity',
  'identity;q=0.9, br;q=0.8', 'identity;q=0, gzip;q=0.1', 'identity;q=0.5, *;q=0.1', '*', '*;q=0', 'br;q=0, *',
  'gzip;q=0.3, *;q=0.7', 'gzip;q=0', 'gzip;q=0.000, br;q=0', 'xbr, br2', '',
];

/**
 * Ordinary and hostile requests for public paths.
 *
 * @param tag the ETag of `/neet/2024`, with its quotes
 */
export function publicRequests(tag: string): HostRequest[] {
  const digits = tag.slice(1, -1);
  const conditions = [
    tag,
    `W/${tag}`,
    `"a", ${tag}`,
    `${tag}, "b"`,
    '*',
    ' * ',
    '"*"',
    '*, "a"',
    `"a${digits}"`,
    `"a"${digits}"b"`,
    digits,
    '"x"',
    '',
  ];
  return [
    ...[...ordinaryTargets, ...missingTargets, ...malformedTargets, ...yearTargets, ...papers].map((target) =>
      get(target),
    ),
    ...methods.flatMap((method) =>
      ['/', '/neet', '/neet//', '/docs/none', ...papers.slice(0, 1)].map((target) => request(method, target)),
    ),
    ...encodings.flatMap((value) =>
      ['/jeemain/2024', '/neet', '/docs/'].map((target) => get(target, [`Accept-Encoding: ${value}`])),
    ),
    ...accepted.flatMap((value) =>
      ['/docs/none', '/dashboard/a/b/', '/docs/', '/favicon.ico/x', '/none'].map((target) =>
        get(target, [`Accept: ${value}`]),
      ),
    ),
    get('/docs/none', ['Accept: text/html', 'Range: bytes=0-3', 'If-None-Match: *', 'Accept-Encoding: br']),
    ...conditions.flatMap((value) =>
      ['/neet/2024', '/none', '/neet/20x4', '/'].map((target) => get(target, [`If-None-Match: ${value}`])),
    ),
    ...[
      'Range: bytes=0-3',
      `If-Range: ${tag}\r\nRange: bytes=0-3`,
      'If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT',
      'Via: 1.1 proxy\r\nAccept-Encoding: gzip',
      'Cookie: a=b',
      'Origin: https://elsewhere.example',
      'Content-Length: 0',
      'Authorization: nonsense',
    ].map((line) => get('/neet/2024', [line])),
    ...['Bearer abc', 'bearer abc', 'Bearer', 'Bearer a b', 'Basic abc'].map((value) =>
      get(papers[0] ?? '', [`Authorization: ${value}`]),
    ),
    { name: 'HTTP/1.0', bytes: 'GET /neet HTTP/1.0\r\n\r\n' },
    ...deviatingRequests,
  ];
}

/** Requests that a host cannot respond to like the gateway, mostly because its parser rejects them first. */
const deviatingRequests: readonly HostRequest[] = [
  // An encoded slash is malformed there, and an encoded sequence of bytes that is not UTF-8 is part of a name.
  ...['/neet%2F2024', '/neet%2f2024/', '/a%2fb/2024', '/docs%2fstyle.css', '/neet/20%2f4'].map((target) =>
    get(target, [], { nginx: malformedUrl, Caddy: malformedUrl }),
  ),
  ...['/%ed%a0%80', '/%f4%90%80%80', '/%e2%82'].map((target) =>
    get(target, [], { nginx: examNotFound, Caddy: examNotFound }),
  ),
  get('/%', [], { Caddy: rejectedByGo }),
  get('/%zz', [], { Caddy: rejectedByGo }),
  get('neet', [], { Caddy: rejectedByGo }),
  get('/\x01', [], { Caddy: rejectedByGo }),
  get('/%00', [], { nginx: malformedUrl }),
  get('/neet#x', [], { Caddy: examNotFound }),
  get('/\xe9', [], { Caddy: examNotFound }),
  get('/neet/2024', ['If-Match: "x"'], { nginx: malformedRequest }),
  get('/neet/2024', ['If-Unmodified-Since: Thu, 01 Jan 1987 00:00:00 GMT'], { nginx: malformedRequest }),
  get('/neet/2024/s1/physics.json', ['Authorization:'], { nginx: missingKey, Caddy: missingKey }),
  get('/neet/1999', [`X-Large: ${'a'.repeat(20_000)}`], { Caddy: yearNotFound }),
  get('/neet/2024', ['no header'], { nginx: malformedUrl, Caddy: rejectedByGo }),
  {
    name: 'no host',
    bytes: 'GET /neet HTTP/1.1\r\nConnection: close\r\n\r\n',
    exceptions: { Caddy: { status: 400, body: '400 Bad Request: missing required Host header' } },
  },
];
