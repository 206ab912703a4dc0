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
import { codings, type PublicRow } from './public-rows.ts';
import { dotSegment, encodedSlash, urlForms, wellFormed } from './url-forms.ts';

/** Bytes of a URL beyond which the gateway reads no request. */
const longestUrl = 16 * 1024;

/** Answers that Caddy itself gives: what its parser refuses never comes so far. */
const given = errorAnswerNames.filter((name) => name !== 'request' && name !== 'fault');

/**
 * What Caddy is told in the operator's site block, which sets `root` to the release's folder and, where there is a
 * gateway, `vars pastpaper_gateway HOST:PORT`.
 *
 * A placeholder of `map` is looked up anew each time that it is read: `vars` keeps what was found.
 */
export function caddyfile(rows: readonly PublicRow[], exams: readonly string[]): string {
  const types = [...new Set(rows.map(({ mediaType }) => mediaType))];
  return `# Made by the build. To be imported in a site block that sets root to the release's folder and, where there is
# a gateway, vars pastpaper_gateway HOST:PORT.
route {
	# What the URL asks for. Caddy decodes the path; what was malformed shows in the URI alone.
${map(
  '{http.request.uri}',
  ['flaw'],
  [
    [`~${dotSegment}`, '!'],
    [`~${wellFormed}`, '_'],
    ['default', '!'],
  ],
)}
${map(
  '{pp_flaw}{http.request.uri}',
  ['form'],
  [
    ...urlForms.map(([pattern, form]): Entry => [`~${pattern.replace('^', '^_')}`, form]),
    ['default', 'malformed'],
  ],
)}
	@pastpaper_long expression size({http.request.uri}) > ${longestUrl}
	vars pp_form {pp_form}
	vars @pastpaper_long pp_form malformed

	# Its row in the table: of each coding the tag, the size and the file.
${map(
  '{http.request.uri}',
  ['slash'],
  [
    [`~${encodedSlash}`, '%'],
    ['default', '_'],
  ],
)}
${map(
  '{pp_slash}{http.request.uri.path}',
  ['path', 'exam'],
  [
    ['~^_(/[^/]+)/([^/]+)/?$', '$1/$2', '$1'],
    ['~^_(/.+)/$', '$1', '_'],
    ['~^_(/.*)$', '$1', '_'],
    ['default', '_', '_'],
  ],
)}
	vars pp_path {pp_path}
${map(
  '{http.vars.pp_path}',
  ['type', ...codings],
  [
    ...rows.map((row): Entry => [row.path, ...rowFields(row, types)]),
    ['default', '_', ...codings.map(() => '_')],
  ],
)}
	vars pp_type {pp_type}
${codings.map((coding) => `\tvars pp_${coding} {pp_${coding}}`).join('\n')}
${map('{pp_exam}', ['known'], [...exams.map((exam): Entry => [`/${exam}`, 'known']), ['default', '_']])}

	# The content coding, by the weights of Accept-Encoding; one that is not named has the weight of any.
${map('{http.request.header.Accept-Encoding}', ['any'], [...weights('*'), ['default', '=0']])}
${codings.map(weightOf).join('\n')}
	vars pp_chosen {http.vars.pp_identity}
	@pastpaper_gzip expression {http.vars.pp_gzip} != "_" && {pp_weight_gzip} > "=0" && {pp_weight_gzip} >= {pp_weight_identity}
	vars @pastpaper_gzip pp_chosen {http.vars.pp_gzip}
	@pastpaper_br expression {http.vars.pp_br} != "_" && {pp_weight_br} > "=0" && {pp_weight_br} >= {pp_weight_identity} && ({http.vars.pp_gzip} == "_" || {pp_weight_br} >= {pp_weight_gzip})
	vars @pastpaper_br pp_chosen {http.vars.pp_br}
${map(
  '{http.vars.pp_chosen}',
  ['tag', 'coding', 'size', 'file'],
  [
    ['~^([0-9a-f]+):([a-z]+):([0-9]+):(.+)$', '"$1"', '$2', '$3', '/$4'],
    ['default', '_', '_', '_', '_'],
  ],
)}
	vars pp_tag {pp_tag}
	vars pp_file {pp_file}

	# If-None-Match (RFC 9110, 13.1.2).
	@pastpaper_fresh expression {http.request.header.If-None-Match}.matches("^[ \\\\t]*[*][ \\\\t]*$") || {http.request.header.If-None-Match}.matches("^[^\\"]*(?:\\"[^\\"]*\\"[^\\"]*)*" + {http.vars.pp_tag})
	vars pp_fresh _
	vars @pastpaper_fresh pp_fresh fresh

	# The answer.
${map(
  '{http.request.header.Authorization}',
  ['key'],
  [
    ['~^$', 'no-key'],
    [`~${bearer}`, 'unreachable'],
    ['default', 'bad-key'],
  ],
)}
${map(
  '{http.vars.pp_form}|{http.request.method}|{pp_known}|{http.vars.pp_fresh}|{http.vars.pp_type}|{http.vars.pastpaper_gateway}',
  ['answer'],
  [
    ['~^(?:auth|protected)[|].*[^|]$', 'gateway'],
    ['~^[^|]*[|]GET[|][^|]*[|]fresh[|]t', 'fresh'],
    ['~^[^|]*[|]GET[|][^|]*[|]_[|]t', 'found'],
    ['~^root[|]GET[|]', 'root'],
    ['~^(malformed|invalid-year)[|]GET[|]', '$1'],
    ['~^protected[|]GET[|]', 'protected'],
    ['~^(?:page|auth)[|]GET[|]', 'no-file'],
    ['~^year[|]GET[|]known[|]', 'no-year'],
    ['~[|]GET[|]', 'no-exam'],
    ['default', 'method'],
  ],
)}
	vars pp_answer {pp_answer}
	@pastpaper_protected vars {http.vars.pp_answer} protected
	vars @pastpaper_protected pp_answer {pp_key}

	@pastpaper_gateway vars {http.vars.pp_answer} gateway
	reverse_proxy @pastpaper_gateway {http.vars.pastpaper_gateway}

	header -Server
${given.map((name) => answer(name, errorAnswer(name))).join('')}${answer('root', rootAnswer)}
	@pastpaper_kept vars {http.vars.pp_answer} found fresh
	route @pastpaper_kept {
		header ETag {http.vars.pp_tag}
${fields(foundHeaders)}
		@pastpaper_same vars {http.vars.pp_answer} fresh
		respond @pastpaper_same 304
${types.map((type, index) => typeHeaders(type, index)).join('')}
		@pastpaper_coded not vars {pp_coding} identity
		header @pastpaper_coded Content-Encoding {pp_coding}
		header Content-Length {pp_size}
		# What the file server would add, or answer of itself.
		header {
			ETag {http.vars.pp_tag}
			-Last-Modified
			-Accept-Ranges
			defer
		}
		request_header -Range
		request_header -If-*
		rewrite * {http.vars.pp_file}
		file_server {
			disable_canonical_uris
		}
	}
}

handle_errors {
	header -Server
	@pastpaper_unreachable expression {http.error.status_code} in [502, 503, 504]
	route @pastpaper_unreachable {
${fields(errorAnswer('unreachable').headers)}
		respond ${quoted(errorAnswer('unreachable').body)} ${errorAnswer('unreachable').status}
	}
${fields(errorAnswer('fault').headers).replaceAll('\t\t', '\t')}
	respond ${quoted(errorAnswer('fault').body)} ${errorAnswer('fault').status}
}
`;
}

/** What a map gives for one value of its source: a pattern begins with `~`. */
type Entry = readonly [key: string, ...values: string[]];

function map(source: string, names: readonly string[], entries: readonly Entry[]): string {
  const lines = entries.map(([key, ...values]) => `\t\t${[key, ...values].map(quoted).join(' ')}\n`);
  return `\tmap ${quoted(source)} ${names.map((name) => `{pp_${name}}`).join(' ')} {\n${lines.join('')}\t}`;
}

/** A route that gives an answer which is always the same. */
function answer(name: ErrorAnswerName | 'root', { status, headers, body }: FixedAnswer): string {
  return `	@pastpaper_${name} vars {http.vars.pp_answer} ${name}
	route @pastpaper_${name} {
${fields(headers)}
		respond ${quoted(body)} ${status}
	}
`;
}

function fields(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([field, value]) => `\t\theader ${field} ${quoted(value)}`)
    .join('\n');
}

function typeHeaders(type: string, index: number): string {
  const all = { 'Content-Type': type, ...documentHeaders(type) };
  const name = `@pastpaper_type_${index}`;
  return `		${name} vars {http.vars.pp_type} t${index}
${Object.entries(all)
  .map(([field, value]) => `\t\theader ${name} ${field} ${quoted(value)}\n`)
  .join('')}`;
}

function rowFields({ mediaType, forms }: PublicRow, types: readonly string[]): string[] {
  return [
    `t${types.indexOf(mediaType)}`,
    ...codings.map((coding) => {
      const form = forms.find((form) => form.coding === coding);
      return form ? `${form.etag.slice(1, -1)}:${coding}:${form.size}:${form.file}` : '_';
    }),
  ];
}

function weightOf(coding: string): string {
  const named = map(
    '{http.request.header.Accept-Encoding}',
    [`named_${coding}`],
    [...weights(coding), ['default', '_']],
  );
  const weight = map(`{pp_named_${coding}}{pp_any}`, [`weight_${coding}`], [['~^_?(=[0-9]+)', '$1']]);
  return `${named}\n${weight}`;
}

/** A weight after a sign that keeps Caddy from taking it for a number. */
function weights(coding: string): Entry[] {
  return weightPatterns(coding).map(([pattern, weight]) => [
    `~(?i)${pattern}`,
    'digits' in weight ? `=${weight.digits}` : '=0$1',
  ]);
}

function quoted(text: string): string {
  return `\`${text}\``;
}
