/**
 * The configuration of nginx, in two halves: maps for the `http` block, and directives for the operator's `server` block.
 * It needs no module.
 */
import { documentHeaders } from '../../release/headers.ts';
import { codings, mediaTypesOf, type PublicRow, rowText } from './public-rows.ts';
import {
  type ErrorName,
  errorNames,
  errorResponse,
  type FixedResponse,
  foundHeaders,
  keyResponses,
  longestUrl,
  type Match,
  malformedTarget,
  responseNames,
  rootResponse,
  urlForms,
  weightPatterns,
} from './responses.ts';

/** Looks up a request: the form of its URL, its row in the table, the content coding, and the response with its headers. */
export function nginxMaps(rows: readonly PublicRow[], exams: readonly string[]): string {
  const types = mediaTypesOf(rows);
  // A power of two above twice the rows, so that few rows share a bucket.
  const hashSize = 2 ** Math.max(11, Math.ceil(Math.log2(rows.length * 2 + 1)));
  return String.raw`# Made by the build. To be included in the http block; the other half is nginx-server.conf.
# $pastpaper_release and $pastpaper_gateway are set in the server block.
variables_hash_bucket_size 128;
variables_hash_max_size 2048;
map_hash_bucket_size 256;
map_hash_max_size ${hashSize};

# The form of the URL. $uri is decoded and normalized: $request_uri shows what was malformed.
map $request_uri $pastpaper_flaw {
  "~${malformedTarget}" malformed;
  default "";
}
map $pastpaper_flaw$uri $pastpaper_form {
${matches(urlForms)}
  default malformed;
}

# Its row in the table. The keys of a map ignore case, so each row repeats its path.
map $uri $pastpaper_path {
  "~^(?<pastpaper_unslashed>.+)/$" $pastpaper_unslashed;
  default $uri;
}
map $pastpaper_path $pastpaper_entry {
${rows.map((row) => `  ${row.path} "${row.path} ${rowText(row, types)}";`).join('\n')}
  default "";
}
map "$pastpaper_path $pastpaper_entry" $pastpaper_row {
  "~^(\S+) \1 (?<pastpaper_fields>.+)$" $pastpaper_fields;
  default "";
}
map $pastpaper_path $pastpaper_exam {
  "~^(?<pastpaper_first>/[^/]+)/" $pastpaper_first;
  default "";
}
map $pastpaper_exam $pastpaper_exam_entry {
${exams.map((exam) => `  /${exam} /${exam};`).join('\n')}
  default "";
}
map "$pastpaper_exam $pastpaper_exam_entry" $pastpaper_known {
  "~^(\S+) \1$" known;
  default "";
}

# The content coding, by the weights of Accept-Encoding.
${['*', ...codings].map(weightMap).join('\n')}
${atLeast('br', 'gzip')}
${atLeast('br', 'identity')}
${atLeast('gzip', 'identity')}
map "$pastpaper_br_gzip$pastpaper_br_identity$pastpaper_gzip_identity $pastpaper_row" $pastpaper_coding {
  "~^11. .* br:.* gzip:" br;
  "~^.1. .* br:(?!.* gzip:)" br;
  "~^..1 .* gzip:" gzip;
  default identity;
}
map "$pastpaper_coding $pastpaper_row" $pastpaper_variant {
  "~^(\S+) .* \1:(?<pastpaper_chosen>\S+)" $pastpaper_chosen;
  default "";
}
map $pastpaper_variant $pastpaper_file {
  "~^[^:]+:[^:]+:(?<pastpaper_found_file>.+)$" /$pastpaper_found_file;
  default "";
}
map $pastpaper_variant $pastpaper_tag {
  "~^(?<pastpaper_found_tag>[0-9a-f]+):" "\"$pastpaper_found_tag\"";
  default "";
}

# If-None-Match (RFC 9110, 13.1.2).
map "$pastpaper_tag $http_if_none_match" $pastpaper_fresh {
  "~^\S+ \s*\*\s*$" fresh;
  "~^(\"[0-9a-f]+\") [^\"]*(?:\"[^\"]*\"[^\"]*)*?\1" fresh;
  default "";
}

# The response.
map "$pastpaper_form|$request_method|$pastpaper_gateway|$pastpaper_known|$pastpaper_fresh|$pastpaper_row" $pastpaper_name {
${matches(responseNames)}
  default method;
}
map $http_authorization $pastpaper_key {
${matches(keyResponses)}
  default no-key;
}
map $pastpaper_name $pastpaper_response {
  protected $pastpaper_key;
  default $pastpaper_name;
}
map $pastpaper_response $pastpaper_status {
${errorNames.map((name) => `  ${name} ${errorResponse(name).status};`).join('\n')}
  default "";
}
map $pastpaper_response $pastpaper_body {
${errorNames.map((name) => `  ${name} ${quoted(errorResponse(name).body)};`).join('\n')}
  default "";
}

# Its headers. nginx omits a header with an empty value.
${mappedHeaders.map((header) => headerMap(header, types)).join('\n')}
map "$pastpaper_response $pastpaper_coding" $pastpaper_header_content_encoding {
  "found br" br;
  "found gzip" gzip;
  default "";
}
`;
}

/** The directives of the server block. */
export function nginxServer(): string {
  const statuses = [...new Set(errorNames.map((name) => errorResponse(name).status))].sort();
  return `# Made by the build. To be included in a server block that sets $pastpaper_release (the release's folder) and
# $pastpaper_gateway (http://HOST:PORT, or "" where there is none); the other half is nginx-maps.conf.
root $pastpaper_release;

# A request is taken as it was received.
merge_slashes off;
large_client_header_buffers 4 ${longestUrl};
client_max_body_size 0;

# What nginx would add or decide by itself.
types { }
default_type "";
charset off;
etag off;
if_modified_since off;
max_ranges 0;
gzip off;
# The response to an error may fail too.
recursive_error_pages on;
error_page 400 413 414 494 505 = //malformed;
error_page 405 = @pastpaper_method;
error_page 412 501 = @pastpaper_request;
error_page 500 503 = @pastpaper_internal;
error_page 502 504 = @pastpaper_unreachable;
error_page 418 = @pastpaper_gateway;
error_page 421 =302 @pastpaper_root;
error_page 422 =304 @pastpaper_fresh;
add_header Last-Modified "" always;
${[...mappedHeaders, 'Content-Encoding'].map((header) => `add_header ${header} $pastpaper_${variableOf(header)} always;`).join('\n')}

location / {
  if ($pastpaper_response = gateway) { return 418; }
  if ($pastpaper_response = root) { return 421; }
  if ($pastpaper_response = fresh) { return 422; }
${statuses.map((status) => `  if ($pastpaper_status = ${status}) { return ${status} $pastpaper_body; }`).join('\n')}
  try_files $pastpaper_file =500;
}

# "return 302" would write a page of its own.
location @pastpaper_root {
  return 200 "";
}

# "return 304" would say that the length is 0, which a cache may believe. This says the length of the 200.
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

${(['method', 'request', 'internal', 'unreachable'] as const).map(errorLocation).join('\n')}`;
}

/** An error of nginx itself or of the gateway, to which the maps do not apply. */
function errorLocation(name: ErrorName): string {
  const { status, headers, body } = errorResponse(name);
  const lines = Object.entries(headers).map(
    ([header, value]) => `  add_header ${header} ${quoted(value)} always;\n`,
  );
  return `location @pastpaper_${name} {\n${lines.join('')}  return ${status} ${quoted(body)};\n}\n`;
}

/** The headers of each response, by a pattern of `<response> <row>`. */
function responseHeaders(types: readonly string[]): Record<string, FixedResponse['headers']> {
  const tagged = { ...foundHeaders, ETag: '$pastpaper_tag' };
  const found = (type: string) => ({ ...tagged, 'Content-Type': type, ...documentHeaders(type) });
  return {
    ...Object.fromEntries(errorNames.map((name) => [`^${name} `, errorResponse(name).headers])),
    '^root ': rootResponse.headers,
    '^fresh ': tagged,
    ...Object.fromEntries(types.map((type, index) => [`^found t${index} `, found(type)])),
    // An empty ETag would remove that of the gateway, unlike any other header.
    '^gateway ': { ETag: '$upstream_http_etag' },
  };
}

/** Headers that depend on the response and the media type. */
const mappedHeaders = [...new Set(Object.values(responseHeaders(['text/html'])).flatMap(Object.keys))];

function headerMap(header: string, types: readonly string[]): string {
  const lines = Object.entries(responseHeaders(types)).flatMap(([pattern, { [header]: value }]) =>
    value === undefined ? [] : `  "~${pattern}" ${quoted(value)};\n`,
  );
  return `map "$pastpaper_response $pastpaper_row" $pastpaper_${variableOf(header)} {
${lines.join('')}  default "";
}`;
}

function variableOf(header: string): string {
  return `header_${header.toLowerCase().replaceAll('-', '_')}`;
}

function weightMap(coding: string): string {
  const name = coding === '*' ? 'any' : coding;
  const { weighted, unweighted } = weightPatterns(coding);
  return `map $http_accept_encoding $pastpaper_weight_${name} {
  "~*${weighted.replace('([0-9]', `(?<pastpaper_digits_${name}>[0-9]`)}" 0$pastpaper_digits_${name};
  "~*${unweighted}" 1;
  default ${coding === '*' ? '0' : '$pastpaper_weight_any'};
}`;
}

/** Whether a coding is accepted and its weight is at least that of another, compared digit by digit. */
function atLeast(coding: string, other: string): string {
  const less = Array.from({ length: 9 }, (_, digit) => String.raw`${digit}\d* \1[${digit + 1}-9]`);
  return String.raw`map "$pastpaper_weight_${coding} $pastpaper_weight_${other}" $pastpaper_${coding}_${other} {
  "~^0 " 0;
  "~^(\d*)(?: \1\d|${less.join('|')})" 0;
  default 1;
}`;
}

function matches(list: readonly Match[]): string {
  return list.map(([pattern, value]) => `  "~${pattern}" ${value};`).join('\n');
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`;
}
