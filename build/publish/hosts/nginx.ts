import { documentHeaders } from '../../release/headers.ts';
import { weightPatterns } from './accept-encoding.ts';
import {
  bearer,
  type ErrorAnswerName,
  errorAnswer,
  errorAnswerNames,
  type FixedAnswer,
  foundHeaders,
  rootAnswer,
} from './answers.ts';
import type { PublicRow } from './public-rows.ts';
import { dotSegment, encodedSlash, urlForms, wellFormed } from './url-forms.ts';

/** What a map gives for one value of its source: a pattern begins with `~`, and sees case. */
type Entry = readonly [key: string, value: string];

/**
 * What nginx is told in its `http` block: the table of public answers, and by which of them a request is
 * answered. Nothing but maps of the core: no module, no `if` of more than one word.
 */
export function nginxMaps(rows: readonly PublicRow[], exams: readonly string[]): string {
  const types = [...new Set(rows.map(({ mediaType }) => mediaType))];
  return [
    '# Made by the build. To be included in the http block; the other half is nginx-server.conf.',
    '# $pastpaper_release and $pastpaper_gateway are set in the server block.',
    'variables_hash_bucket_size 128;',
    'variables_hash_max_size 2048;',
    'map_hash_bucket_size 256;',
    `map_hash_max_size ${hashSize(rows.length)};`,
    '',
    '# An error of the parser, which error_page sends to a path that no well-formed request has.',
    map('$uri $request_uri', 'aside', [
      ['~^//method (?!//)', 'method'],
      ['~^//request (?!//)', 'request'],
      ['~^//', 'malformed'],
      ['default', ''],
    ]),
    '# What the URL asks for. nginx decodes and tidies $uri; what was malformed shows in $request_uri alone.',
    map('$request_uri', 'flaw', [
      [`~${dotSegment}`, '!'],
      [`~${wellFormed}`, ''],
      ['default', '!'],
    ]),
    map('$pastpaper_flaw$request_uri', 'form', [
      ...urlForms.map(([pattern, form]): Entry => [`~${pattern}`, form]),
      ['default', 'malformed'],
    ]),
    '# Its row in the table. A map passes over case, so that each row tells its path once more.',
    map('$request_uri', 'slash', [
      [`~${encodedSlash}`, '%'],
      ['default', ''],
    ]),
    map('$uri', 'path', [
      ['~^(?<pastpaper_unslashed>.+)/$', '$pastpaper_unslashed'],
      ['default', '$uri'],
    ]),
    map('$pastpaper_slash$pastpaper_path', 'entry', [
      ...rows.map((row): Entry => [row.path, rowText(row, types)]),
      ['default', ''],
    ]),
    map('$pastpaper_path $pastpaper_entry', 'row', [
      [String.raw`~^(\S+) \1 (?<pastpaper_fields>.+)$`, '$pastpaper_fields'],
      ['default', ''],
    ]),
    map('$pastpaper_slash$pastpaper_path', 'exam', [
      ['~^(?<pastpaper_first>/[^/]+)/', '$pastpaper_first'],
      ['default', ''],
    ]),
    map('$pastpaper_exam', 'exam_entry', [
      ...exams.map((exam): Entry => [`/${exam}`, `/${exam}`]),
      ['default', ''],
    ]),
    map('$pastpaper_exam $pastpaper_exam_entry', 'exam_known', [
      [String.raw`~^(\S+) \1$`, 'known'],
      ['default', ''],
    ]),
    '# The content coding, by the weights of Accept-Encoding.',
    map('$http_accept_encoding', 'weight_any', [...weights('*'), ['default', '0']]),
    map('$http_accept_encoding', 'weight_br', [...weights('br'), ['default', '$pastpaper_weight_any']]),
    map('$http_accept_encoding', 'weight_gzip', [...weights('gzip'), ['default', '$pastpaper_weight_any']]),
    map('$http_accept_encoding', 'weight_identity', [
      ...weights('identity'),
      ['default', '$pastpaper_weight_any'],
    ]),
    atLeast('br', 'gzip'),
    atLeast('br', 'identity'),
    atLeast('gzip', 'identity'),
    map('$pastpaper_br_gzip$pastpaper_br_identity$pastpaper_gzip_identity $pastpaper_row', 'coding', [
      ['~^11. .* br=.* gzip=', 'br'],
      ['~^.1. .* br=(?!.* gzip=)', 'br'],
      ['~^..1 .* gzip=', 'gzip'],
      ['default', 'identity'],
    ]),
    map('$pastpaper_coding $pastpaper_row', 'variant', [
      ['~^(?<pastpaper_chosen>\\S+) .* \\1=(?<pastpaper_chosen_form>\\S+)', '$pastpaper_chosen_form'],
      ['default', ''],
    ]),
    map('$pastpaper_variant', 'file', [
      ['~^[0-9a-f]+:(?<pastpaper_found_file>.+)$', '/$pastpaper_found_file'],
      ['default', ''],
    ]),
    map('$pastpaper_variant', 'tag', [
      ['~^(?<pastpaper_found_tag>[0-9a-f]+):', '"$pastpaper_found_tag"'],
      ['default', ''],
    ]),
    '# If-None-Match (RFC 9110, 13.1.2).',
    map('$pastpaper_tag $http_if_none_match', 'fresh', [
      [String.raw`~^\S+ \s*\*\s*$`, 'fresh'],
      [String.raw`~^("[0-9a-f]+") [^"]*(?:"[^"]*"[^"]*)*?\1`, 'fresh'],
      ['default', ''],
    ]),
    '# The answer.',
    map('$http_authorization', 'credentials', [
      ['""', 'no-key'],
      [`~${bearer}`, 'unreachable'],
      ['default', 'bad-key'],
    ]),
    map(
      '$pastpaper_aside|$pastpaper_gateway|$pastpaper_form|$request_method|$pastpaper_exam_known|$pastpaper_fresh|$pastpaper_row',
      'answer',
      [
        ['~^(?<pastpaper_side>[a-z]+)[|]', '$pastpaper_side'],
        ['~^[|][^|]+[|](?:auth|protected)[|]', 'gateway'],
        ['~^[^|]*[|][^|]*[|][^|]*[|](?!GET[|]|[|])', 'method'],
        ['~[|]root[|]GET[|]', 'root'],
        ['~[|](?<pastpaper_flawed>malformed|invalid-year)[|]', '$pastpaper_flawed'],
        ['~[|]protected[|]GET[|]', '$pastpaper_credentials'],
        ['~[|]fresh[|].', 'fresh'],
        ['~[|].+[|]GET[|][^|]*[|][^|]*[|].', 'found'],
        ['~[|](?:page|auth)[|]', 'no-file'],
        ['~[|]year[|]GET[|]known[|]', 'no-year'],
        ['default', 'no-exam'],
      ],
    ),
    map('$pastpaper_answer', 'status', [
      ...errorAnswerNames.map((name): Entry => [name, String(errorAnswer(name).status)]),
      ['fresh', '304'],
      ['default', ''],
    ]),
    map('$pastpaper_answer', 'body', [
      ...errorAnswerNames.map((name): Entry => [name, errorAnswer(name).body]),
      ['default', ''],
    ]),
    '# Its header fields. nginx leaves out one whose value is empty.',
    ...nginxFields.map((field) => fieldMap(field, types)),
  ].join('\n');
}

const answers: readonly (readonly [name: string, answer: FixedAnswer])[] = [
  ...errorAnswerNames.map((name) => [name, errorAnswer(name)] as const),
  ['root', rootAnswer],
];

/** Fields of the answers that are always the same. */
const fixedFields = [...new Set(answers.flatMap(([, { headers }]) => Object.keys(headers)))];

/** Fields of a page or a picture by its media type. */
const documentFields = ['Content-Security-Policy', 'Referrer-Policy'];

const nginxFields = [
  ...new Set([...fixedFields, ...Object.keys(foundHeaders), ...documentFields, 'ETag', 'Content-Encoding']),
];

/** The value of a header field, by the answer. */
function fieldMap(field: string, types: readonly string[]): string {
  const fixed = answers.flatMap(([name, { headers }]): Entry[] => {
    const value = headers[field];
    return value === undefined ? [] : [[`~^${name}[|]`, value]];
  });
  const always = (foundHeaders as Readonly<Record<string, string>>)[field];
  const kept: Entry[] = always === undefined ? [] : [['~^(?:found|fresh)[|]', always]];
  const byType = types.flatMap((type, index): Entry[] => {
    const value = field === 'Content-Type' ? type : documentHeaders(type)[field];
    return value === undefined ? [] : [[`~^found[|][^|]*[|]${index} `, value]];
  });
  const byForm: Entry[] = [];
  // An empty ETag would take away that of the gateway, where any other field is left as it is.
  if (field === 'ETag')
    byForm.push(['~^(?:found|fresh)[|]', '$pastpaper_tag'], ['~^gateway[|]', '$upstream_http_etag']);
  if (field === 'Content-Encoding') byForm.push(['~^found[|]br[|]', 'br'], ['~^found[|]gzip[|]', 'gzip']);
  return map('$pastpaper_answer|$pastpaper_coding|$pastpaper_row', fieldVariable(field), [
    ...fixed,
    ...kept,
    ...byType,
    ...byForm,
    ['default', ''],
  ]);
}

/** What nginx is told in the operator's `server` block. */
export function nginxServer(): string {
  const statuses = [...new Set(errorAnswerNames.map((name) => errorAnswer(name).status))].sort();
  return `# Made by the build. To be included in a server block that sets $pastpaper_release (the release's folder) and
# $pastpaper_gateway (http://HOST:PORT, or "" where there is none); the other half is nginx-maps.conf.
root $pastpaper_release;

# A request is taken as it came.
merge_slashes off;
large_client_header_buffers 4 16k;
client_max_body_size 0;

# What nginx would add, or answer of itself.
types { }
default_type "";
charset off;
etag off;
if_modified_since off;
max_ranges 0;
gzip off;
# What is answered on the way of an error page may fail too.
recursive_error_pages on;
error_page 400 413 414 494 = //malformed;
error_page 405 = //method;
error_page 501 505 = //request;
error_page 500 503 = @pastpaper_fault;
error_page 502 504 = @pastpaper_unreachable;
error_page 418 = @pastpaper_gateway;
error_page 421 =302 @pastpaper_root;
error_page 422 =304 @pastpaper_fresh;
error_page 412 = @pastpaper_request;
add_header Last-Modified "" always;
${nginxFields.map((field) => `add_header ${field} $pastpaper_${fieldVariable(field)} always;`).join('\n')}

location / {
  if ($pastpaper_answer = gateway) { return 418; }
  if ($pastpaper_answer = root) { return 421; }
  if ($pastpaper_answer = fresh) { return 422; }
${statuses.map((status) => `  if ($pastpaper_status = ${status}) { return ${status} $pastpaper_body; }`).join('\n')}
  try_files $pastpaper_file =500;
}

# return writes a page of its own for 302, so that this is a 200 by another name.
location @pastpaper_root {
  return 200 "";
}

# return says that the length is 0, which a cache may believe: this says the length of the 200.
location @pastpaper_fresh {
  try_files $pastpaper_file =500;
}

location @pastpaper_gateway {
  proxy_pass $pastpaper_gateway;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  proxy_set_header X-Forwarded-Proto $scheme;
}

${faultLocation('pastpaper_request', 'request')}
${faultLocation('pastpaper_fault', 'fault')}
${faultLocation('pastpaper_unreachable', 'unreachable')}`;
}

/** An answer when nginx itself or the gateway failed: what the maps have said no longer holds. */
function faultLocation(location: string, name: ErrorAnswerName): string {
  const { status, headers, body } = errorAnswer(name);
  const fields = Object.entries(headers).map(
    ([field, value]) => `  add_header ${field} ${quoted(value)} always;`,
  );
  return `location @${location} {\n${fields.join('\n')}\n  return ${status} ${quoted(body)};\n}\n`;
}

/** A row's fields: its path, the number of its media type, and of each coding the tag and the file. */
function rowText({ path, mediaType, forms }: PublicRow, types: readonly string[]): string {
  const variants = forms.map(({ coding, etag, file }) => `${coding}=${etag.slice(1, -1)}:${file}`);
  return [path, types.indexOf(mediaType), ...variants].join(' ');
}

function weights(coding: string): Entry[] {
  return weightPatterns(coding).map(([pattern, weight], index) => {
    if ('digits' in weight) return [`~*${pattern}`, weight.digits];
    const name = `pastpaper_${coding === '*' ? 'any' : coding}_${index}`;
    return [`~*${pattern.replace('([0-9]', `(?<${name}>[0-9]`)}`, `0$${name}`];
  });
}

/** Whether a coding is accepted and its weight no less than that of another: its digits do not come before. */
function atLeast(coding: string, other: string): string {
  const less = Array.from({ length: 9 }, (_, digit) => String.raw`${digit}\d* \1[${digit + 1}-9]`);
  return map(`$pastpaper_weight_${coding} $pastpaper_weight_${other}`, `${coding}_${other}`, [
    ['~^0 ', '0'],
    [String.raw`~^(\d*)(?: \1\d|${less.join('|')})`, '0'],
    ['default', '1'],
  ]);
}

function map(source: string, name: string, entries: readonly Entry[]): string {
  const lines = entries.map(([key, value]) => `  ${key === '""' ? key : quoted(key)} ${quoted(value)};`);
  return `map ${quoted(source)} $pastpaper_${name} {\n${lines.join('\n')}\n}\n`;
}

function fieldVariable(field: string): string {
  return `field_${field.toLowerCase().replaceAll('-', '_')}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** A power of two above twice the rows, so that a look-up meets few of them. */
function hashSize(rows: number): number {
  return 2 ** Math.max(11, Math.ceil(Math.log2(rows * 2 + 1)));
}
