/** Requests that are well-formed HTTP, mostly for resources of a release, with any target, fields and body. */
import fc, { type Arbitrary } from 'fast-check';
import { sometimes, uniform, weighted, words } from '../arbitraries.ts';
import type { FuzzContext } from './gateway-under-test.ts';
import odd from './odd-requests.json' with { type: 'json' };
import type { StoredBody } from './stored-release.ts';

/** The parts of a request. Each character is a byte (latin1). */
export interface RequestParts {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly fields: readonly Field[];
  /** On the wire, including chunk sizes. */
  readonly body: string;
}

type Field = readonly [name: string, value: string];

/** The bytes of a request. */
export function renderRequest({ method, target, version, fields, body }: RequestParts): string {
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} ${version}\r\n${lines.join('')}\r\n${body}`;
}

const pick = fc.constantFrom;
const fieldOf = (name: string, values: Arbitrary<string>) =>
  values.map((value): Field[] => [[name, value]]);
const none: Field[] = [];

const otherMethods = words('PUT DELETE PATCH TRACE PROPFIND PURGE M-SEARCH UNSUBSCRIBE');

/** Any request for one of the targets. */
export function requestTo(
  targets: Arbitrary<string>,
  context: FuzzContext,
): Arbitrary<RequestParts> {
  const fields = fieldsOf(context);
  return targets.chain((target) => {
    const isService = target.startsWith('/auth/');
    const method = weighted(
      [isService ? 20 : 85, fc.constant('GET')],
      [isService ? 70 : 1, fc.constant('POST')],
      [15, pick('HEAD', 'HEAD', 'OPTIONS', ...otherMethods)],
    );
    const body = sometimes(isService ? 80 : 6, framedBody, { fields: none, bytes: '' });
    return fc.tuple(method, fields, body).map(([name, own, framed]) => ({
      ...{ method: name, target, version: 'HTTP/1.1' },
      ...{ fields: [...own, ...framed.fields], body: framed.bytes },
    }));
  });
}

/** Targets in origin-form: mostly those of the release, by any name of the shift, and some with a change. */
export function paths(release: readonly StoredBody[]): Arbitrary<string> {
  const pathsOf = (access: StoredBody['access']) =>
    pick(...release.filter((body) => body.access === access)).map(({ path }) => path.split('/'));
  const aliased = fc
    .tuple(pathsOf('protected'), uniform(9), pick(...odd.shiftNames))
    .map(([[exam = '', year = '', shift = '', ...rest], way, name]) => {
      const names = [name, shift.slice(0, 7), shift.slice(5), 's1'];
      return [exam, year, names[way] ?? shift, ...rest];
    });
  const segments = weighted<string[]>(
    [45, aliased],
    [35, pathsOf('public')],
    [12, fc.tuple(pick(...odd.exams), pick(...odd.years), pick(...odd.shiftNames), pick('a.json'))],
    [8, pick(...odd.authPaths).map((name) => ['auth', name])],
  );
  return fc
    .tuple(
      segments,
      sometimes<Change>(40, changes, () => {}),
      fc.nat(),
      sometimes(10, pick('/'), ''),
      sometimes(12, pick(...odd.queries, `?${'q'.repeat(2000)}`), ''),
    )
    .map(([all, change, at, slash, query]) => {
      const changed = [...all];
      change(changed, at % (changed.length + 1), at);
      return `/${changed.join('/')}${slash}${query}`;
    });
}

/** Targets in any form, valid or invalid. */
export function targets(release: readonly StoredBody[]): Arbitrary<string> {
  const path = paths(release);
  const absolute = fc.tuple(pick('http://', 'hTTps://'), pick(...odd.authorities), path);
  return weighted(
    [88, path],
    [8, absolute.map((all) => all.join(''))],
    [2, pick('http://', 'ftp://localhost/', 'http:/neet', 'http:neet', '//', '///')],
    [2, path.map((one) => `/${one}`)],
  );
}

/** Changes the segments of a path: the one at `at`, in the middle of it. */
type Change = (segments: string[], at: number, inner: number) => void;

/** Inserts something into a segment. */
const inserted =
  (part: string): Change =>
  (segments, at, inner) => {
    const segment = segments[at] ?? '';
    const place = inner % (segment.length + 1);
    segments[at] = segment.slice(0, place) + part + segment.slice(place);
  };

/** Percent-encodes a character of a segment. */
const encoded: Change = (segments, at, inner) => {
  const segment = segments[at] ?? '';
  const place = inner % (segment.length + 1);
  const code = segment.charCodeAt(place).toString(16).padStart(2, '0');
  if (place < segment.length)
    segments[at] = `${segment.slice(0, place)}%${code}${segment.slice(place + 1)}`;
};

const changes: Arbitrary<Change> = fc.oneof(
  fc.constant(encoded),
  pick(...odd.oddOctets, ...odd.brokenEncodings).map(inserted),
  pick('', ...odd.dots, ...odd.names, 'a'.repeat(9_000)).chain((part) =>
    uniform(1).map(
      (deleted): Change =>
        (segments, at) =>
          segments.splice(at, deleted, part),
    ),
  ),
  fc.constant<Change>((segments, at) => segments.splice(at, 1)),
);

/** All fields of a request but those that frame its body. */
function fieldsOf(context: FuzzContext): Arbitrary<Field[]> {
  const tag = pick('"x"', ...context.release.flatMap(({ etag }) => [etag, `W/${etag}`]));
  const tags = fc.array(tag, { minLength: 1, maxLength: 40 }).map((all) => all.join(', '));
  const coding = fc.tuple(pick(...odd.codings), pick('', '', ...odd.weights));
  const codings = fc
    .array(coding.map(([name, weight]) => name + weight))
    .map((all) => all.join(' ,\t'));
  const origins = [
    context.corsOrigin,
    `${context.corsOrigin}/`,
    'https://other.example',
    'null',
    '',
  ];
  const hosts = weighted<Field[]>(
    [95, fc.constant<Field[]>([['Host', 'localhost']])],
    [4, fieldOf('Host', pick(...odd.hosts))],
    [
      1,
      pick<Field[]>(
        [],
        [
          ['Host', 'localhost'],
          ['Host', 'elsewhere'],
        ],
      ),
    ],
  );
  return fc
    .tuple(
      hosts,
      sometimes(90, authorizations(context), none),
      sometimes(40, fieldOf('Accept-Encoding', fc.oneof(codings, pick(...odd.oddCodings))), none),
      sometimes(30, fieldOf('If-None-Match', fc.oneof(tags, pick(...odd.oddTags))), none),
      sometimes(10, fieldOf('Origin', pick(...origins)), none),
      sometimes(5, fieldOf('Access-Control-Request-Method', pick('GET', 'POST', '')), none),
      sometimes(30, fc.array(pick(...otherFields), { maxLength: 5 }), none),
      sometimes(2, fc.integer({ min: 20, max: 150 }).map(manyFields), none),
    )
    .map((all) => all.flat());
}

function authorizations({ keys }: FuzzContext): Arbitrary<Field[]> {
  const { live } = keys;
  const values = weighted(
    [70, pick(...Array(10).fill(live), ...Object.values(keys)).map((key) => `Bearer ${key}`)],
    [
      15,
      pick('', 'Bearer', 'Basic x', `Bearer "${live}"`, `Bearer  ${live}`, `Basic ${live}`, live),
    ],
    [10, pick('=', ', x', ' x', '\u00e9', '%20').map((end) => `Bearer ${live}${end}`)],
    [5, fc.string({ minLength: 1, maxLength: 6000 }).map((text) => `Bearer pfx_${text}`)],
  );
  const fields = fc.array(fieldOf('Authorization', values), { minLength: 2, maxLength: 2 });
  return weighted([97, fieldOf('Authorization', values)], [3, fields.map((all) => all.flat())]);
}

const manyFields = (count: number) =>
  Array.from({ length: count }, (_, index): Field => [`X-Many-${index}`, 'x'.repeat(index % 30)]);

const otherFields = [...odd.otherFields, ['From', 'x'.repeat(3000)]] as unknown as readonly Field[];

/** A body on the wire, and the fields that frame it. */
interface FramedBody {
  readonly fields: Field[];
  readonly bytes: string;
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const contents: readonly (readonly [type: string, body: string])[] = [
  ...odd.jsonBodies.map((body) => [json, body] as const),
  [json, '['.repeat(3_000)],
  [json, `{"email":"${'x'.repeat(20_000)}"}`],
  ...odd.formBodies.map((body) => [form, body] as const),
  [form, 'a=b&'.repeat(2_000)],
  ['text/plain', ''],
  ['text/plain', '\0\u00ff'.repeat(100)],
  // It would be read as a request if a server ignored the framing.
  ['text/plain', 'GET /jeemain HTTP/1.1\r\nHost: localhost\r\n\r\n'],
];

/** A body framed by its length, or in chunks: not so many that a server does not read to their end. */
const framedBody: Arbitrary<FramedBody> = fc
  .tuple(
    pick(...contents),
    uniform(40),
    pick('', ';name', ';name="quoted"'),
    pick(...odd.lastChunks),
  )
  .map(([[type, body], count, extension, end]) => {
    const fields: Field[] = [['Content-Type', type]];
    if (count > 20)
      return { fields: [...fields, ['Content-Length', String(body.length)]], bytes: body };
    const size = Math.ceil(body.length / (count + 1));
    const chunks: string[] = [];
    for (let at = 0; at < body.length; at += size) {
      const part = body.slice(at, at + size);
      chunks.push(`${part.length.toString(16)}${extension}\r\n${part}\r\n`);
    }
    return {
      fields: [...fields, ['Transfer-Encoding', 'chunked']],
      bytes: chunks.join('') + end,
    };
  });
