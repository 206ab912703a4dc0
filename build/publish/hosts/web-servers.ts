/** The configurations of nginx and Caddy. They need no modules. */
import { readFileSync } from 'node:fs';
import { documentHeaders, missingPageHeaders } from '../../release/headers.ts';
import { codings, type HostFile, mediaTypesOf, type PublicRow, rowText } from './public-rows.ts';
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
  missingPageFile,
  missingResponses,
  responseNames,
  rootResponse,
  urlForms,
  weightPatterns,
} from './responses.ts';

type Headers = FixedResponse['headers'];

/** @param exams their codes */
export function webServerFiles(rows: readonly PublicRow[], exams: readonly string[]): HostFile[] {
  return [
    fromTemplate('nginx-maps.conf', nginxMaps(rows, exams)),
    fromTemplate('nginx-server.conf', nginxServer()),
    fromTemplate('Caddyfile', caddyfile(rows, exams)),
  ];
}

/** Lines, or a text within a line, by the names of their places in a template. */
type Values = Readonly<Record<string, string | number | readonly string[]>>;

/** Fills in the places of a template, which are written `{{name}}`. */
function fromTemplate(name: string, values: Values): HostFile {
  const template = readFileSync(new URL(`templates/${name}`, import.meta.url), 'utf8');
  const text = template.replace(/\{\{(\w+)\}\}/g, (_, place) => {
    const value = values[place];
    if (value === undefined) throw new Error(`${name} has an unknown place ${place}.`);
    return typeof value === 'object' ? value.join('\n') : String(value);
  });
  return { file: `hosts/${name}`, body: Buffer.from(text) };
}

/** Lookups of a request: the form of its URL, its row in the table, the coding, the response and its headers. */
function nginxMaps(rows: readonly PublicRow[], exams: readonly string[]): Values {
  const types = mediaTypesOf(rows);
  const matches = (list: readonly Match[]) =>
    list.map(([pattern, value]) => `  "~${pattern}" ${value};`);
  return {
    // A power of two above twice the rows, so that few rows share a bucket.
    hashSize: 2 ** Math.max(11, Math.ceil(Math.log2(rows.length * 2 + 1))),
    malformedTarget,
    urlForms: matches(urlForms),
    rows: rows.map((row) => `  ${row.path} "${row.path} ${rowText(row, types)}";`),
    exams: exams.map((exam) => `  /${exam} /${exam};`),
    weights: [
      ...['*', ...codings].map(nginxWeight),
      nginxAtLeast('br', 'gzip'),
      nginxAtLeast('br', 'identity'),
      nginxAtLeast('gzip', 'identity'),
    ],
    responseNames: matches(responseNames),
    keyResponses: matches(keyResponses),
    missingResponses: matches(missingResponses),
    statuses: errorNames.map((name) => `  ${name} ${errorResponse(name).status};`),
    bodies: errorNames.map((name) => `  ${name} ${quoted(errorResponse(name).body)};`),
    headers: mappedHeaders.map((header) => nginxHeader(header, types)),
  };
}

/** The directives of the server block. */
function nginxServer(): Values {
  const statuses = [...new Set(errorNames.map((name) => errorResponse(name).status))].sort();
  const headers = [...mappedHeaders, 'Content-Encoding'];
  return {
    longestUrl,
    missingPageFile,
    headers: headers.map(
      (header) => `add_header ${header} $pastpaper_${variableOf(header)} always;`,
    ),
    returns: statuses.map(
      (status) => `  if ($pastpaper_status = ${status}) { return ${status} $pastpaper_body; }`,
    ),
    errorLocations: (['method', 'request', 'internal', 'unreachable'] as const).map(
      nginxErrorLocation,
    ),
  };
}

/** An error of nginx itself or of the gateway, to which the maps do not apply. */
function nginxErrorLocation(name: ErrorName): string {
  const { status, headers, body } = errorResponse(name);
  const lines = Object.entries(headers).map(
    ([header, value]) => `  add_header ${header} ${quoted(value)} always;\n`,
  );
  return `location @pastpaper_${name} {\n${lines.join('')}  return ${status} ${quoted(body)};\n}\n`;
}

/** The headers of each response, by a pattern of `<response> <row>`. */
function responseHeaders(types: readonly string[]): Record<string, Headers> {
  const tagged = { ...foundHeaders, ETag: '$pastpaper_tag' };
  const found = (type: string) => ({ ...tagged, 'Content-Type': type, ...documentHeaders(type) });
  return {
    ...Object.fromEntries(errorNames.map((name) => [`^${name} `, errorResponse(name).headers])),
    '^root ': rootResponse.headers,
    '^page ': missingPageHeaders,
    '^fresh ': tagged,
    ...Object.fromEntries(types.map((type, index) => [`^found t${index} `, found(type)])),
    // An empty ETag would remove that of the gateway, unlike any other header.
    '^gateway ': { ETag: '$upstream_http_etag' },
  };
}

/** Headers that depend on the response and the media type. */
const mappedHeaders = [
  ...new Set(Object.values(responseHeaders(['text/html'])).flatMap(Object.keys)),
];

function nginxHeader(header: string, types: readonly string[]): string {
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

function nginxWeight(coding: string): string {
  const name = coding === '*' ? 'any' : coding;
  const { weighted, unweighted } = weightPatterns(coding);
  return `map $http_accept_encoding $pastpaper_weight_${name} {
  "~*${weighted.replace('([0-9]', `(?<pastpaper_digits_${name}>[0-9]`)}" 0$pastpaper_digits_${name};
  "~*${unweighted}" 1;
  default ${coding === '*' ? '0' : '$pastpaper_weight_any'};
}`;
}

/** Whether a coding is accepted and its weight is at least that of another, compared digit by digit. */
function nginxAtLeast(coding: string, other: string): string {
  const less = Array.from({ length: 9 }, (_, digit) => String.raw`${digit}\d* \1[${digit + 1}-9]`);
  return String.raw`map "$pastpaper_weight_${coding} $pastpaper_weight_${other}" $pastpaper_${coding}_${other} {
  "~^0 " 0;
  "~^(\d*)(?: \1\d|${less.join('|')})" 0;
  default 1;
}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`;
}

/** Caddy computes a placeholder of `map` again each time that it is used; `vars` stores the value. */
function caddyfile(rows: readonly PublicRow[], exams: readonly string[]): Values {
  const types = mediaTypesOf(rows);
  const matches = (list: readonly Match[]) =>
    list.map(([pattern, value]) => `\t\t${token(`~${pattern}`)} ${value}`);
  // Go itself rejects requests that it cannot parse.
  const routedErrors = errorNames.filter((name) => name !== 'request' && name !== 'internal');
  return {
    malformedTarget: token(`~${malformedTarget}`),
    urlForms: matches(urlForms),
    longestUrl,
    rows: rows.map((row) => `\t\t${row.path} ${token(rowText(row, types))}`),
    exams: exams.map((exam) => `\t\t/${exam} known`),
    weights: ['*', ...codings].map(caddyWeight),
    responseNames: matches(responseNames),
    keyResponses: matches(keyResponses),
    missingResponses: matches(missingResponses),
    fixedRoutes: [
      ...routedErrors.map((name) => caddyRoute(name, errorResponse(name))),
      caddyRoute('root', rootResponse),
    ],
    missingPageHeaders: caddyHeaders(missingPageHeaders),
    missingPageFile,
    foundHeaders: caddyHeaders(foundHeaders),
    typeHeaders: types.map((type, index) => {
      const matcher = `@pastpaper_type_${index}`;
      return `		${matcher} expression {http.vars.pp_row}.matches("^t${index}[^0-9]")
${caddyHeaders({ 'Content-Type': type, ...documentHeaders(type) }, `${matcher} `)}`;
    }),
    unreachable: caddyResponse(errorResponse('unreachable')),
    internal: caddyResponse(errorResponse('internal')),
  };
}

/** A route for a response that does not depend on the request. */
function caddyRoute(name: string, response: FixedResponse): string {
  return `	@pastpaper_${name} vars {http.vars.pp_response} ${name}
	route @pastpaper_${name} {
${caddyResponse(response)}
	}`;
}

function caddyResponse({ status, headers, body }: FixedResponse): string {
  return `${caddyHeaders(headers)}\n\t\trespond ${token(body)} ${status}`;
}

function caddyHeaders(headers: Headers, matcher = ''): string {
  const lines = Object.entries(headers).map(
    ([header, value]) => `\t\theader ${matcher}${header} ${token(value)}`,
  );
  return lines.join('\n');
}

/** The equals sign prevents Caddy from converting a weight to a number. */
function caddyWeight(coding: string): string {
  const name = coding === '*' ? 'any' : coding;
  const { weighted, unweighted } = weightPatterns(coding);
  return `	map {http.request.header.Accept-Encoding} {pp_weight_${name}} {
		${token(`~(?i)${weighted}`)} =0$1
		${token(`~(?i)${unweighted}`)} =1
		default ${coding === '*' ? '=0' : '{pp_weight_any}'}
	}`;
}

/** A text as one token of a Caddyfile. */
function token(text: string): string {
  return `\`${text}\``;
}
