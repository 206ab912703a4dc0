/** Requests that are well-formed HTTP, mostly for resources of a release, with any target, fields and body. */
import fc, { type Arbitrary } from 'fast-check';
import { sometimes, uniform, weighted } from '../arbitraries.ts';
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

const otherMethods = 'PUT DELETE PATCH TRACE PROPFIND PURGE M-SEARCH UNSUBSCRIBE'.split(' ');

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
    pick(...release.filter((body) => body.access === access).map(({ path }) => path));
  const aliased = fc
    .tuple(pathsOf('protected'), uniform(9), pick(...odd.shiftNames))
    .map(([path, way, name]) => {
      const [exam = '', year = '', shift = '', ...rest] = path.split('/');
      const names = [name, shift.slice(0, 7), shift.slice(5), 's1'];
      return [exam, year, names[way] ?? shift, ...rest].join('/');
    });
  const path = weighted(
    [45, aliased],
    [35, pathsOf('public')],
    [
      12,
      fc
        .tuple(pick(...odd.exams), pick(...odd.years), pick(...odd.shiftNames))
        .map((all) => `${all.join('/')}/a.json`),
    ],
    [8, pick(...odd.authPaths).map((name) => `auth/${name}`)],
    [1, fc.constant('')],
  );
  const change = fc.tuple(fc.nat(), pick(0, 0, 1, 5), pick('', ...odd.parts, 'a'.repeat(9_000)));
  return fc
    .tuple(
      path,
      sometimes(40, change, undefined),
      sometimes(20, pick('/', ...odd.queries, `?${'q'.repeat(2000)}`), ''),
    )
    .map(([whole, changed, end]) => {
      if (!changed) return `/${whole}${end}`;
      const [at, deleted, part] = changed;
      const place = at % (whole.length + 1);
      return `/${whole.slice(0, place)}${part}${whole.slice(place + deleted)}${end}`;
    });
}

/** All fields of a request but those that frame its body. */
function fieldsOf(context: FuzzContext): Arbitrary<Field[]> {
  const tag = pick('"x"', ...context.release.flatMap(({ etag }) => [etag, `W/${etag}`]));
  const tags = fc.array(tag, { minLength: 1, maxLength: 40 }).map((all) => all.join(', '));
  const coding = fc.tuple(pick(...odd.codings), pick('', '', ...odd.weights));
  const codings = fc
    .array(coding.map(([name, weight]) => name + weight))
    .map((all) => all.join(' ,\t'));
  const own = context.corsOrigin;
  const field = (percent: number, name: string, values: Arbitrary<string>) =>
    sometimes(percent, fieldOf(name, values), none);
  const hosts = weighted<Field[]>(
    [95, fc.constant<Field[]>([['Host', 'localhost']])],
    [4, fieldOf('Host', pick(...odd.hosts))],
    [
      1,
      pick<Field[]>(
        [],
        ['localhost', 'elsewhere'].map((host): Field => ['Host', host]),
      ),
    ],
  );
  return fc
    .tuple(
      hosts,
      sometimes(90, authorizations(context), none),
      field(40, 'Accept-Encoding', fc.oneof(codings, pick(...odd.oddCodings))),
      field(30, 'If-None-Match', fc.oneof(tags, pick(...odd.oddTags))),
      field(10, 'Origin', pick(own, `${own}/`, 'https://other.example', 'null', '')),
      field(5, 'Access-Control-Request-Method', pick('GET', 'POST', '')),
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
