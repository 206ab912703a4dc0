/** Requests that are well-formed HTTP, mostly for resources of a release, with any target, fields and body. */
import fc, { type Arbitrary } from 'fast-check';
import { sometimes, uniform, weighted, words } from '../arbitraries.ts';
import { type ModelContext, predictResponse } from './model.ts';
import odd from './odd-requests.json' with { type: 'json' };
import type { Field, RequestParts } from './request.ts';
import type { StoredRelease } from './stored-release.ts';

const pick = fc.constantFrom;
const fieldOf = (name: string, values: Arbitrary<string>) =>
  values.map((value): Field[] => [[name, value]]);
const none: Field[] = [];

/** Parts of paths: broken encodings, octets that decode but are in no name, dots, and names. */
const {
  brokenEncodings,
  oddOctets,
  dots,
  authPaths,
  authorities,
  exams,
  years,
  shiftNames,
  files,
  names,
} = odd;

/** Any request for one of the targets. */
export function requestTo(
  targets: Arbitrary<string>,
  context: ModelContext,
): Arbitrary<RequestParts> {
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
        [
          6,
          pick(...words('PUT DELETE PATCH TRACE PROPFIND PURGE M-SEARCH LOCK SEARCH UNSUBSCRIBE')),
        ],
      ),
      body: sometimes(isService ? 80 : 6, body, withoutBody),
    });
  });
  return fc
    .tuple(parts, fieldsOf(context), uniform(99), fc.nat())
    .map(([{ target, method, body }, fields, host, matching]) => {
      const hosts: Field[] =
        host === 0 ? [...fields, ['Host', 'elsewhere']] : host === 1 ? fields.slice(1) : fields;
      const request = {
        method,
        target,
        version: 'HTTP/1.1',
        fields: [...hosts, ...body.fields],
        body: body.bytes,
      };
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
      return [
        exam,
        year,
        [name, ...prefixes, ...Array(5).fill(`s${number}`)][way] ?? shift,
        ...rest,
      ];
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
      sometimes(12, pick(...odd.queries, `?${'q'.repeat(2000)}`), ''),
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
  [
    3,
    pick(...names, ...years, 'a'.repeat(9_000), 'a'.repeat(300)).map((name) => mapped(() => name)),
  ],
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
  const joined = (all: Arbitrary<readonly string[]>, between = '') =>
    all.map((parts) => parts.join(between));
  const tag = joined(
    fc.tuple(pick('', '', '', '', 'W/'), pick('"x"', ...context.release.byTag.keys())),
  );
  const tags = [3, 3, 40].map((maxLength) => fc.array(tag, { minLength: 1, maxLength }));
  const anyTags = weighted([1, pick(...odd.oddTags)], [4, joined(fc.oneof(...tags), ', ')]);
  const coding = joined(fc.tuple(pick(...odd.codings), pick(...Array(9).fill(''), ...odd.weights)));
  const someCodings = fc.array(coding, { minLength: 1, maxLength: 4 });
  const anyCodings = weighted(
    [1, pick(...odd.oddCodings, ','.repeat(300))],
    [3, joined(someCodings, ',')],
    [3, joined(someCodings, ' ,\t')],
  );
  const origins = pick(
    context.corsOrigin,
    'null',
    'https://elsewhere.example',
    '',
    `${context.corsOrigin}/`,
  );
  const parts = fc.tuple(
    fieldOf('Host', sometimes(4, pick(...odd.hosts), 'localhost')),
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
      const cased =
        nameCase === 0 ? name.toLowerCase() : nameCase === 1 ? name.toUpperCase() : name;
      return [cased, form % 20 === index ? `\t${value} \t` : value];
    });
    return form < 10 ? fields.reverse() : fields;
  });
}

function authorizations({ keys }: ModelContext): Arbitrary<Field[]> {
  const { live, revoked } = keys;
  const token = fc.string({
    unit: pick(...'abcXYZ019-._~+/'),
    minLength: 1,
    maxLength: 6000,
    size: 'max',
  });
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
        pick(
          'bearer ',
          'BEARER ',
          'Bearer  ',
          'Bearer\t',
          'Bearer',
          'Basic ',
          'Token ',
          'Bearer:',
          'Bearer =',
          '',
        ).map((scheme) => scheme + live),
      ],
      [
        2,
        pick(...words('= == , ; " %20 / .'), ' ', ' x', '\u00e9', '\t').map(
          (end) => `Bearer ${live}${end}`,
        ),
      ],
      [
        1,
        fc
          .tuple(pick('', 'pfx_'), token, pick('', '=', '=='))
          .map((parts) => `Bearer ${parts.join('')}`),
      ],
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

const otherFields = [...odd.otherFields, ['From', 'x'.repeat(3000)]] as unknown as readonly Field[];

/** A body on the wire, and the fields that frame it. */
export interface FramedBody {
  readonly fields: readonly Field[];
  readonly bytes: string;
}

/** A body framed by its length or in chunks; the client may ask for 100 Continue before it. */
export function framedBody(): Arbitrary<FramedBody> {
  const before = fc.tuple(
    sometimes(10, fieldOf('Content-Type', pick(...odd.types)), none),
    sometimes(10, fieldOf('Expect', pick('100-continue', '100-Continue')), none),
  );
  const byLength = content.map(
    ({ fields, body }): FramedBody => ({
      fields: [...fields, ['Content-Length', String(body.length)]],
      bytes: body,
    }),
  );
  const inChunks = fc
    .tuple(chunks, pick(...odd.lastChunks))
    .map(([{ fields, bytes }, end]) => ({ fields, bytes: bytes + end }));
  return fc
    .tuple(before, fc.oneof(byLength, inChunks))
    .map(([[type, expect], { fields, bytes }]) => ({
      // The type of the content, or another one.
      fields: [...expect, ...type, ...(type.length > 0 ? fields.slice(1) : fields)],
      bytes,
    }));
}

/** Chunks, the last of which is malformed (RFC 9112, 7.1). */
export function malformedChunks(): Arbitrary<FramedBody> {
  const bad = pick(...odd.badChunks).map((chunk) => `${chunk}\r\n\r\n`);
  return fc.tuple(chunks, bad).map(([{ fields, bytes }, end]) => ({ fields, bytes: bytes + end }));
}

/** A body that would be read as a request if a server ignored its framing. */
const inner = 'GET /jeemain HTTP/1.1\r\nHost: localhost\r\n\r\n';
const jsonBodies = [
  ...[...odd.jsonBodies, '['.repeat(3_000), `{"email":"${'x'.repeat(20_000)}"}`],
  `{"email":"${'a'.repeat(300)}@b.example","password":"${'p'.repeat(200)}"}`,
];
const otherBodies = ['', inner, '\0\u00ff'.repeat(100)];
const content = fc
  .oneof(
    ...(
      [
        ['application/json', jsonBodies],
        ['application/x-www-form-urlencoded', [...odd.formBodies, 'a=b&'.repeat(2_000)]],
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
    return {
      fields: [...fields, ['Transfer-Encoding', form === 1 ? 'Chunked' : 'chunked']],
      bytes,
    };
  });
