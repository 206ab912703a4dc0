/** Requests that are well-formed HTTP, mostly for resources of a release, with any target, fields and body. */
import fc, { type Arbitrary } from 'fast-check';
import { sometimes, uniform, weighted, words } from '../arbitraries.ts';
import { type ModelContext, predictResponse } from './model.ts';
import type { Field, RequestParts } from './request.ts';
import type { StoredRelease } from './stored-release.ts';

const pick = fc.constantFrom;
const fieldOf = (name: string, values: Arbitrary<string>) => values.map((value): Field[] => [[name, value]]);
const none: Field[] = [];

/** Any request for one of the targets. */
export function requestTo(targets: Arbitrary<string>, context: ModelContext): Arbitrary<RequestParts> {
  const body = framedBody();
  const withoutBody: FramedBody = { fields: [], bytes: '' };
  const parts = targets.chain((target) => {
    const isService = target.startsWith('/auth/');
    return fc.record({
      target: fc.constant(target),
      method: weighted(
        [isService ? 20 : 85, fc.constant('GET')],
        [isService ? 70 : 1, fc.constant('POST')],
        [6, fc.constant('HEAD')],
        [3, fc.constant('OPTIONS')],
        [6, pick(...words('PUT DELETE PATCH TRACE PROPFIND PURGE M-SEARCH LOCK SEARCH UNSUBSCRIBE'))],
      ),
      body: sometimes(isService ? 80 : 6, body, withoutBody),
    });
  });
  return fc
    .tuple(parts, fieldsOf(context), uniform(99), fc.nat())
    .map(([{ target, method, body }, fields, host, matching]) => {
      const hosts: Field[] = host === 0 ? [...fields, ['Host', 'elsewhere']] : host === 1 ? fields.slice(1) : fields;
      const request = { method, target, version: 'HTTP/1.1', fields: [...hosts, ...body.fields], body: body.bytes };
      const { served } = predictResponse(request, context);
      const etag = served?.[matching % served.length]?.etag;
      if (host > 12 || etag === undefined) return request;
      const others = request.fields.filter(([name]) => name.toLowerCase() !== 'if-none-match');
      return { ...request, fields: [...others, ['If-None-Match', etag] as const] };
    });
}

/** Targets in origin-form. */
export function paths({ resources, shifts }: StoredRelease): Arbitrary<string> {
  const path = (values: Iterable<string>) => pick(...values).map((text) => text.split('/'));
  /** Replaces the name of the shift by an alias. */
  const aliased = fc
    .tuple(path(resources.protected.keys()), uniform(12), uniform(9), pick(...shiftNames))
    .map(([[exam = '', year = '', shift = '', ...rest], way, length, name]) => {
      const number = (shifts.get(exam)?.get(year) ?? []).indexOf(shift) + 1;
      const prefixes = [shift.slice(0, 1 + length), shift.slice(5, 6 + length)];
      return [exam, year, [name, ...prefixes, ...Array(5).fill(`s${number}`)][way] ?? shift, ...rest];
    });
  const segments = weighted<string[]>(
    [45, aliased],
    [35, path(resources.public.keys())],
    [8, fc.tuple(pick(...exams), pick(...years))],
    [8, fc.tuple(pick(...exams), pick(...years), pick(...shiftNames), pick(...files))],
    [8, path(authPaths.map((name) => `auth/${name}`))],
    [2, fc.array(pick(...names), { maxLength: 8 })],
  );
  return fc
    .tuple(
      segments,
      sometimes(40, changeOfSegments, unchanged),
      uniform(8),
      uniform(99),
      sometimes(10, pick('/'), ''),
      sometimes(12, queries, ''),
    )
    .map(([all, change, at, inner, slash, query]) => {
      const changed = [...all];
      change(changed, at % (changed.length + 1), inner);
      return `/${changed.join('/')}${slash}${query}`;
    });
}

/** Targets in any form, valid or invalid. */
export function targets(release: StoredRelease): Arbitrary<string> {
  const path = paths(release);
  return weighted(
    [88, path],
    [
      8,
      fc
        .tuple(pick('http://', 'https://', 'HTTP://', 'hTTps://'), pick(...authorities), path)
        .map((all) => all.join('')),
    ],
    [2, path.map((one) => `http://localhost${one.replace('/', '?')}`)],
    [1, pick('http://', 'https://x:1', 'ftp://localhost/', 'http:/neet', 'http:neet', '//', '///')],
    [1, path.map((one) => `/${one}`)],
  );
}

/** Changes the segments of a path: the one at `at`, in the middle of it at `inner`. */
type Change = (segments: string[], at: number, inner: number) => void;

const unchanged: Change = () => {};
const inserted =
  (part: string): Change =>
  (segments, at, inner) => {
    const segment = segments[at] ?? '';
    const place = inner % (segment.length + 1);
    segments[at] = segment.slice(0, place) + part + segment.slice(place);
  };
const mapped =
  (change: (segment: string) => string): Change =>
  (segments, at) => {
    segments[at] = change(segments[at] ?? '');
  };
/** Percent-encodes the characters whose bit is set, in either case of hex. */
const encoded = (mask: number): Change =>
  mapped((segment) =>
    segment.replace(/[\s\S]/g, (character, at: number) => {
      const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
      if (((mask >> (at % 12)) & 1) === 0) return character;
      return `%${mask % 2 === 0 ? hex : hex.toUpperCase()}`;
    }),
  );

// biome-ignore format: a list
const brokenEncodings = words('% %2 %zz %% %ff %c3%28 %c0%af %ed%a0%80 %f4%90%80%80 %e2%82 %fe %u0041');
/** Octets that decode, but are in no name. */
const oddOctets = words(`
  %00 %0d%0a %09 %7f %2f %5c %20 %23 %3f %25 %c2%a0 %e2%80%8b %f0%9f%98%80 %ef%bb%bf %ef%bf%bd
`);
const dots = words('. .. %2e %2E%2e .%2e %2e. ... .%00 ..; ..%2f ..%5c %252e%252e');
const authPaths = words(`
  settings keys account sign-in/email sign-up/email sign-out sign-in/social request-password-reset reset-password
  keys/key_1/rotate sessions sessions/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa introspect introspect introspect
  callback/google verify-email get-session .. x/y/z %00 ok error reset-password/x /
`);
const authorities = words('localhost example.org:8080 [::1] 127.0.0.1:1 a-b.c x@y a:b:c [x x:99999').concat('');
const exams = words('neet jeemain gate neetjeemain n NEET neet2024');
const years = words(`
  2024 2023 2025 0000 9999 1 24 02024 20240 2024.0 -2024 +2024 2024%20 %32024 2O24 %EF%BC%92024 0x7e8 2e3 s1
`);
const shiftNames = words(`
  s1 s2 s0 s01 s9 s10 S1 s s-1 s1.0 2 20 2024 2024- 2024-05-05 2024-05-05-s10 05 05- 05-05 05-05-s1 05-05-s 5-5 01-2
  01-27-s2 diagrams latest %73%31
`);
const files = words(`
  physics.json chemistry.json biology.json mathematics.json history.json physics Physics.json physics.JSON
  physics.json.br diagrams .json manifest.json physics.json%00.png
`);
const names = words(`
  __proto__ constructor toString hasOwnProperty valueOf public protected manifest.json current hosts neet docs dashboard
  auth livez readyz metrics exams.json favicon.ico robots.txt .env .git etc passwd ~ - ; @ : = & + * ( ! , ' $
`);
const queries = pick(
  '?',
  '?x=1',
  '?a=/../b',
  '?%',
  '?%ff',
  '??',
  '?key=pfx_',
  `?${'q'.repeat(2000)}`,
  '#part',
  '?x#part',
);

const changeOfSegments: Arbitrary<Change> = weighted<Change>(
  [9, uniform(0xfff).map(encoded)],
  [
    5,
    pick(...dots, ...dots, ...Array(8).fill('')).map(
      (part): Change =>
        (segments, at) =>
          segments.splice(at, 0, part),
    ),
  ],
  [5, pick(...oddOctets, ...brokenEncodings).map(inserted)],
  [2, fc.integer({ min: 0x21, max: 0x7e }).map((code) => inserted(String.fromCharCode(code)))],
  [3, pick(...names, ...years, 'a'.repeat(9_000), 'a'.repeat(300)).map((name) => mapped(() => name))],
  [
    1,
    pick(...years).map(
      (year): Change =>
        (segments) =>
          segments.splice(1, 1, year),
    ),
  ],
  [
    8,
    pick<Change>(
      (segments, at) => segments.splice(at, 1),
      (segments, at) => segments.splice(at, 0, segments[at] ?? ''),
      (segments) => segments.reverse(),
      mapped((segment) => segment.toUpperCase()),
      mapped((segment) => segment.slice(0, -1)),
      mapped((segment) => segment.replaceAll('.', '%2E')),
    ),
  ],
);

/** All fields of a request but those that frame its body, with names in any case. */
function fieldsOf(context: ModelContext): Arbitrary<Field[]> {
  const joined = (all: Arbitrary<readonly string[]>, between = '') => all.map((parts) => parts.join(between));
  const tag = joined(fc.tuple(pick('', '', '', '', 'W/'), pick('"x"', ...context.release.byTag.keys())));
  const tags = [3, 3, 40].map((maxLength) => fc.array(tag, { minLength: 1, maxLength }));
  const anyTags = weighted([1, pick(...oddTags)], [4, joined(fc.oneof(...tags), ', ')]);
  const coding = joined(fc.tuple(pick(...codings), pick(...weights)));
  const someCodings = fc.array(coding, { minLength: 1, maxLength: 4 });
  const anyCodings = weighted(
    [1, pick(...oddCodings)],
    [3, joined(someCodings, ',')],
    [3, joined(someCodings, ' ,\t')],
  );
  const origins = pick(context.corsOrigin, 'null', 'https://elsewhere.example', '', `${context.corsOrigin}/`);
  const parts = fc.tuple(
    fieldOf('Host', sometimes(4, pick(...hosts), 'localhost')),
    sometimes(90, authorizations(context), none),
    sometimes(40, fieldOf('Accept-Encoding', anyCodings), none),
    sometimes(30, fieldOf('If-None-Match', anyTags), none),
    sometimes(10, fieldOf('Origin', origins), none),
    sometimes(5, fieldOf('Access-Control-Request-Method', pick('GET', 'POST', '')), none),
    sometimes(30, fc.array(pick(...otherFields), { maxLength: 5 }), none),
    sometimes(2, fc.integer({ min: 20, max: 150 }).map(manyFields), none),
  );
  return fc.tuple(parts, uniform(9), uniform(99)).map(([all, nameCase, form]) => {
    const fields = all.flat().map(([name, value], index): Field => {
      const cased = nameCase === 0 ? name.toLowerCase() : nameCase === 1 ? name.toUpperCase() : name;
      return [cased, form % 20 === index ? `\t${value} \t` : value];
    });
    return form < 10 ? fields.reverse() : fields;
  });
}

function authorizations({ keys }: ModelContext): Arbitrary<Field[]> {
  const { live, revoked } = keys;
  const token = fc.string({ unit: pick(...'abcXYZ019-._~+/'), minLength: 1, maxLength: 6000, size: 'max' });
  const odd = fieldOf(
    'Authorization',
    weighted(
      [
        3,
        pick(
          ...words('Bearer bearer Bearer: Basic Token Bearer, " ='),
          '',
          `Bearer "${live}"`,
          `Bearer ${live}, Bearer ${live}`,
        ),
      ],
      [
        2,
        pick('bearer ', 'BEARER ', 'Bearer  ', 'Bearer\t', 'Bearer', 'Basic ', 'Token ', 'Bearer:', 'Bearer =', '').map(
          (scheme) => scheme + live,
        ),
      ],
      [2, pick(...words('= == , ; " %20 / .'), ' ', ' x', '\u00e9', '\t').map((end) => `Bearer ${live}${end}`)],
      [1, fc.tuple(pick('', 'pfx_'), token, pick('', '=', '==')).map((parts) => `Bearer ${parts.join('')}`)],
      [1, fc.nat(live.length - 1).map((length) => `Bearer ${live.slice(0, length)}`)],
      [1, fc.constant(`Bearer ${live.toUpperCase()}`)],
    ),
  );
  const lines = pick<Field[]>(
    [
      ['Authorization', `Bearer ${live}`],
      ['Authorization', `Bearer ${live}`],
    ],
    [
      ['Authorization', `Bearer ${live}`],
      ['Authorization', `Bearer ${revoked}`],
    ],
    [['X-Authorization', `Bearer ${live}`]],
    [['Proxy-Authorization', `Bearer ${live}`]],
  );
  const right = pick(...Array(10).fill(live), ...Object.values(keys)).map((key) => `Bearer ${key}`);
  return weighted([70, fieldOf('Authorization', right)], [25, odd], [5, lines]);
}

const manyFields = (count: number) =>
  Array.from({ length: count }, (_, index): Field => [`X-Many-${index}`, 'x'.repeat(index % 30)]);

const hosts = [
  ...words('example.org example.org:8080 [::1]:80 127.0.0.1 LOCALHOST localhost: x@y x/y " <x> x:y localhost:99999999'),
  ...['', 'a b', 'a, b'],
];
const codings = words('br gzip identity * deflate zstd');
const weights = [...Array(9).fill(''), ...words(';q=0 ;q=1 ;q=0.5 ;q=0.001 ;q=0.9 ;q=1.000 ;q=0.000'), '; q=0.8'];
const oddCodings = [
  ...words(`
    , ; ;; gzip;q gzip;q= gzip;q=2 gzip;q=-1 gzip;q=abc gzip;Q=0.5 BR x-gzip *;q=0 identity;q=0 __proto__ gzip;level=9
    q=1 gzip;q=0.0000001 br;q=NaN
  `),
  ...['', 'gzip, gzip;q=0', '\u00e9', 'br gzip', ','.repeat(300)],
];
const oddTags = [...words(`* " "" W/ W/* x "x x" , ,, "*" "a""b" w/"x" 'x'`), '', '* ', '*, "x"', '" "', '\u00ff'];
// biome-ignore format: a list
const otherFields: readonly Field[] = [
  ['Accept', 'application/xml;q=1'], ['Accept', ''], ['Accept-Language', 'hi-IN'],
  ['Access-Control-Request-Headers', 'authorization'], ['Cache-Control', 'no-cache'], ['Connection', 'keep-alive'],
  ['Connection', 'Keep-Alive, x'], ['Connection', 'te'], ['Content-Type', 'application/json'],
  ['Cookie', 'a=b; __Secure-better-auth.session_token=x'], ['Cookie', '\u00e9;;;=;='], ['Date', 'yesterday'],
  ['DNT', '1'], ['Expect', '100-continue'], ['Expect', 'the-unexpected'], ['Forwarded', 'for=127.0.0.1;proto=https'],
  ['From', 'x'.repeat(3000)], ['If-Match', '"x"'], ['If-Modified-Since', 'Fri, 01 Jan 2100 00:00:00 GMT'],
  ['If-Range', '"x"'], ['If-Unmodified-Since', 'x'], ['Keep-Alive', 'timeout=1000000'], ['Max-Forwards', '0'],
  ['Pragma', 'no-cache'], ['Proxy-Connection', 'keep-alive'], ['Range', 'bytes=0-0'], ['Range', 'bytes=0-0,-1'],
  ['Referer', 'http://\u00ff'], ['TE', 'trailers'], ['Trailer', 'Authorization'], ['User-Agent', '() { :; }; echo'],
  ['Upgrade', 'websocket'], ['Connection', 'Upgrade'], ['Via', '1.1 x'], ['X-Empty', ''],
  ['X-Forwarded-For', '1.2.3.4, unknown, ::1'], ['X-Forwarded-Host', 'elsewhere.example'],
  ['X-Forwarded-Proto', 'gopher'], ['X-HTTP-Method-Override', 'DELETE'], ['X-Obs', '\u0080\u00ff\t\u00a0'],
  ['X-Original-URL', '/neet/2024/s1/physics.json'], ['__proto__', 'x'], ['constructor', 'x'],
  ["!#$%&'*+-.^_`|~", 'x'],
];

/** A body on the wire, and the fields that frame it. */
export interface FramedBody {
  readonly fields: readonly Field[];
  readonly bytes: string;
}

/** A body framed by its length or in chunks; the client may ask for 100 Continue before it. */
export function framedBody(): Arbitrary<FramedBody> {
  const before = fc.tuple(
    sometimes(10, fieldOf('Content-Type', pick(...types)), none),
    sometimes(10, fieldOf('Expect', pick('100-continue', '100-Continue')), none),
  );
  const byLength = content.map(
    ({ fields, body }): FramedBody => ({ fields: [...fields, ['Content-Length', String(body.length)]], bytes: body }),
  );
  const inChunks = fc
    .tuple(chunks, pick(...lastChunks))
    .map(([{ fields, bytes }, end]) => ({ fields, bytes: bytes + end }));
  return fc.tuple(before, fc.oneof(byLength, inChunks)).map(([[type, expect], { fields, bytes }]) => ({
    // The type of the content, or another one.
    fields: [...expect, ...type, ...(type.length > 0 ? fields.slice(1) : fields)],
    bytes,
  }));
}

/** Chunks, the last of which is malformed (RFC 9112, 7.1). */
export function malformedChunks(): Arbitrary<FramedBody> {
  const bad = pick(...badChunks).map((chunk) => `${chunk}\r\n\r\n`);
  return fc.tuple(chunks, bad).map(([{ fields, bytes }, end]) => ({ fields, bytes: bytes + end }));
}

const json = 'application/json';
/** A body that would be read as a request if a server ignored its framing. */
const inner = 'GET /jeemain HTTP/1.1\r\nHost: localhost\r\n\r\n';
// biome-ignore format: a list
const types = [
  json, 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', 'application/json; charset=nonsense',
  'text/plain', 'multipart/form-data; boundary=x', 'application/problem+json', '/', '',
];
// biome-ignore format: a list
const jsonBodies = [
  '{"email":"a@b.example","password":"a password"}',
  '{"email":"a@b.example","password":"a password","callbackURL":"/dashboard/"}',
  '{"email":"a@b.example","password":"a password","callbackURL":"https://elsewhere.example"}',
  '{"email":"a@b.example","password":"\\u00"}', '{"email":"A@B.example\\u0000","password":""}',
  '{"email":{"a":1},"password":["x"]}', `{"email":"${'a'.repeat(300)}@b.example","password":"${'p'.repeat(200)}"}`,
  '{"name":"key","expiresIn":null}', '{"overlap":1e309}', '{"newPassword":"a password","token":"x"}',
  '{"provider":"google"}', '{"__proto__":{"email":"a@b.example"},"constructor":1}', '{}', '[]', '[', 'null', '""',
  '\u00ef\u00bb\u00bf{}', '{"email":"\u00ff\u00fe"}', `${'['.repeat(3_000)}`, `{"email":"${'x'.repeat(20_000)}"}`,
];
const formBodies = words('token=x token= token=% token=a&token=b token[a]=b &&&= token=%00%ff').concat(
  'a=b&'.repeat(2_000),
);
const otherBodies = ['', inner, '\0\u00ff'.repeat(100)];
const content = fc
  .oneof(
    ...(
      [
        [json, jsonBodies],
        ['application/x-www-form-urlencoded', formBodies],
        ['text/plain', otherBodies],
      ] as const
    ).map(([type, bodies]) => pick(...bodies).map((body) => ({ type, body }))),
  )
  .map(({ type, body }) => ({ fields: [['Content-Type', type]] as readonly Field[], body }));

/** Chunks of any sizes, with extensions, without the last chunk. */
const chunks = fc
  .tuple(
    content,
    fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 4 }),
    pick('', '', '', ';name=value', ';name', ';name="quoted"'),
    uniform(3),
  )
  .map(([{ fields, body }, sizes, extension, form]): FramedBody => {
    let bytes = '';
    let turn = 0;
    for (let at = 0; at < body.length; turn += 1) {
      const part = body.slice(at, at + (sizes[turn % sizes.length] ?? 1));
      const size = part.length.toString(16).padStart(form, '0');
      bytes += `${form === 0 ? size.toUpperCase() : size}${extension}\r\n${part}\r\n`;
      at += part.length;
    }
    return { fields: [...fields, ['Transfer-Encoding', form === 1 ? 'Chunked' : 'chunked']], bytes };
  });
const lastChunks = ['0\r\n\r\n', '0\r\n\r\n', '000\r\n\r\n', '0\r\nX-Trailer: x\r\n\r\n', '0;x\r\nHost: y\r\n\r\n'];
const badChunks = ['no size', '-1', '+4', ' 4', '0x4', '4 4', 'g', '\0', '\u00e9', 'ffffffffffffffffff', '1\r\nab\r\n'];
