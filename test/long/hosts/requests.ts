import lists from './requests.json' with { type: 'json' };
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
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...headers,
  ];
  const name = [`${method} ${target}`, ...headers].join(', ').slice(0, 100);
  return { name: JSON.stringify(name), bytes: `${lines.join('\r\n')}\r\n\r\n`, exceptions };
}

/** Targets of each kind, methods, and values of Accept and Accept-Encoding (RFC 9110, 12.5.1 and 12.5.3). */
const { papers, methods, accepted, encodings } = lists;
const targets = [
  ...[
    ...lists.ordinary,
    `/neet/2024?${'a'.repeat(9_000)}`,
    ...lists.missing,
    `/${'a'.repeat(12_000)}`,
  ],
  ...[...lists.malformed, `/${'a'.repeat(20_000)}`, ...lists.year, ...papers],
];

/**
 * Ordinary and hostile requests for public paths.
 *
 * @param tag the ETag of `/neet/2024`, with its quotes
 */
export function publicRequests(tag: string): HostRequest[] {
  const digits = tag.slice(1, -1);
  // biome-ignore format: a list
  const conditions = [
    tag, `W/${tag}`, `"a", ${tag}`, `${tag}, "b"`, '*', ' * ', '"*"', '*, "a"', `"a${digits}"`, `"a"${digits}"b"`,
    digits, '"x"', '',
  ];
  return [
    ...targets.map((target) => get(target)),
    ...methods.flatMap((method) =>
      ['/', '/neet', '/neet//', '/docs/none', ...papers.slice(0, 1)].map((target) =>
        request(method, target),
      ),
    ),
    ...encodings.flatMap((value) =>
      ['/jeemain/2024', '/neet', '/docs/'].map((target) =>
        get(target, [`Accept-Encoding: ${value}`]),
      ),
    ),
    ...accepted.flatMap((value) =>
      ['/docs/none', '/dashboard/a/b/', '/docs/', '/favicon.ico/x', '/none'].map((target) =>
        get(target, [`Accept: ${value}`]),
      ),
    ),
    get('/docs/none', [
      'Accept: text/html',
      'Range: bytes=0-3',
      'If-None-Match: *',
      'Accept-Encoding: br',
    ]),
    ...conditions.flatMap((value) =>
      ['/neet/2024', '/none', '/neet/20x4', '/'].map((target) =>
        get(target, [`If-None-Match: ${value}`]),
      ),
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
  ...['/neet%2F2024', '/neet%2f2024/', '/a%2fb/2024', '/docs%2fstyle.css', '/neet/20%2f4'].map(
    (target) => get(target, [], { nginx: malformedUrl, Caddy: malformedUrl }),
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
  get('/neet/2024', ['If-Unmodified-Since: Thu, 01 Jan 1987 00:00:00 GMT'], {
    nginx: malformedRequest,
  }),
  get('/neet/2024/s1/physics.json', ['Authorization:'], { nginx: missingKey, Caddy: missingKey }),
  get('/neet/1999', [`X-Large: ${'a'.repeat(20_000)}`], { Caddy: yearNotFound }),
  get('/neet/2024', ['no header'], { nginx: malformedUrl, Caddy: rejectedByGo }),
  {
    name: 'no host',
    bytes: 'GET /neet HTTP/1.1\r\nConnection: close\r\n\r\n',
    exceptions: { Caddy: { status: 400, body: '400 Bad Request: missing required Host header' } },
  },
];
