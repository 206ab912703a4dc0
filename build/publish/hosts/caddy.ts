/**
 * The configuration of Caddy, for the operator's site block. It needs no module.
 *
 * Caddy computes a placeholder of `map` again each time that it is used; `vars` stores the value.
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

/** Errors that the configuration returns. Go itself rejects requests that it cannot parse. */
const routedErrors = errorNames.filter((name) => name !== 'request' && name !== 'internal');

export function caddyfile(rows: readonly PublicRow[], exams: readonly string[]): string {
  const types = mediaTypesOf(rows);
  return String.raw`# Made by the build. To be imported in a site block that sets root to the release's folder and, where there is
# a gateway, vars pastpaper_gateway HOST:PORT.
route {
	# The form of the URL. Caddy decodes the path: the URI shows what was malformed.
	map {http.request.uri} {pp_flaw} {
		${token(`~${malformedTarget}`)} malformed
		default ""
	}
	map {pp_flaw}{http.request.uri.path} {pp_form} {
${matches(urlForms)}
		default malformed
	}
	vars pp_form {pp_form}
	@pastpaper_long expression size({http.request.uri}) > ${longestUrl}
	vars @pastpaper_long pp_form malformed

	# Its row in the table.
	map {http.request.uri.path} {pp_path} {pp_exam} {
		"~^(/[^/]+)/([^/]+)/?$" $1/$2 $1
		"~^(/.+)/$" $1 _
		"~^(/.+)$" $1 _
		default _ _
	}
	vars pp_path {pp_path}
	map {http.vars.pp_path} {pp_row} {
${rows.map((row) => `\t\t${row.path} ${token(rowText(row, types))}`).join('\n')}
		default _
	}
	vars pp_row {pp_row}
	map {pp_exam} {pp_known} {
${exams.map((exam) => `\t\t/${exam} known`).join('\n')}
		default _
	}

	# The content coding, by the weights of Accept-Encoding. A coding that is not listed has the weight of "*".
${weightMap('*')}
${codings.map(weightMap).join('\n')}
	vars pp_coding identity
	@pastpaper_gzip expression {http.vars.pp_row}.contains(" gzip:") && {pp_weight_gzip} > "=0" && {pp_weight_gzip} >= {pp_weight_identity}
	vars @pastpaper_gzip pp_coding gzip
	@pastpaper_br expression {http.vars.pp_row}.contains(" br:") && {pp_weight_br} > "=0" && {pp_weight_br} >= {pp_weight_identity} && ({http.vars.pp_coding} != "gzip" || {pp_weight_br} >= {pp_weight_gzip})
	vars @pastpaper_br pp_coding br
	map "{http.vars.pp_coding} {http.vars.pp_row}" {pp_tag} {pp_size} {pp_file} {
${codings.map((coding) => `\t\t"~^${coding} .* ${coding}:([0-9a-f]+):([0-9]+):([^ ]+)" "\\"$1\\"" $2 /$3`).join('\n')}
		default _ _ _
	}
	vars pp_tag {pp_tag}
	vars pp_file {pp_file}

	# If-None-Match (RFC 9110, 13.1.2).
	@pastpaper_fresh expression {http.request.header.If-None-Match}.matches("^[ \\t]*[*][ \\t]*$") || {http.request.header.If-None-Match}.matches("^[^\"]*(?:\"[^\"]*\"[^\"]*)*" + {http.vars.pp_tag})
	vars pp_fresh _
	vars @pastpaper_fresh pp_fresh fresh

	# The response.
	map {http.vars.pp_form}|{http.request.method}|{http.vars.pastpaper_gateway}|{pp_known}|{http.vars.pp_fresh}|{http.vars.pp_row} {pp_response} {
${matches(responseNames)}
		default method
	}
	vars pp_response {pp_response}
	map {http.request.header.Authorization} {pp_key} {
${matches(keyResponses)}
		default no-key
	}
	@pastpaper_protected vars {http.vars.pp_response} protected
	vars @pastpaper_protected pp_response {pp_key}

	@pastpaper_gateway vars {http.vars.pp_response} gateway
	reverse_proxy @pastpaper_gateway {http.vars.pastpaper_gateway}

	header -Server
${routedErrors.map((name) => fixedRoute(name, errorResponse(name))).join('\n')}
${fixedRoute('root', rootResponse)}
	@pastpaper_found vars {http.vars.pp_response} found fresh
	route @pastpaper_found {
		header ETag {http.vars.pp_tag}
${headerLines(foundHeaders)}
		@pastpaper_304 vars {http.vars.pp_response} fresh
		respond @pastpaper_304 304
${types.map(typeHeaders).join('\n')}
		@pastpaper_encoded not vars {http.vars.pp_coding} identity
		header @pastpaper_encoded Content-Encoding {http.vars.pp_coding}
		header Content-Length {pp_size}
		# What the file server would add or decide by itself.
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
${fixedResponse(errorResponse('unreachable'))}
	}
${fixedResponse(errorResponse('internal'))}
}
`;
}

/** A route for a response that does not depend on the request. */
function fixedRoute(name: ErrorName | 'root', response: FixedResponse): string {
  return `	@pastpaper_${name} vars {http.vars.pp_response} ${name}
	route @pastpaper_${name} {
${fixedResponse(response)}
	}`;
}

function fixedResponse({ status, headers, body }: FixedResponse): string {
  return `${headerLines(headers)}\n\t\trespond ${token(body)} ${status}`;
}

function headerLines(headers: Readonly<Record<string, string>>, matcher = ''): string {
  return Object.entries(headers)
    .map(([header, value]) => `\t\theader ${matcher}${header} ${token(value)}`)
    .join('\n');
}

function typeHeaders(type: string, index: number): string {
  const matcher = `@pastpaper_type_${index}`;
  return `		${matcher} expression {http.vars.pp_row}.matches("^t${index}[^0-9]")
${headerLines({ 'Content-Type': type, ...documentHeaders(type) }, `${matcher} `)}`;
}

/** The equals sign prevents Caddy from converting a weight to a number. */
function weightMap(coding: string): string {
  const name = coding === '*' ? 'any' : coding;
  const { weighted, unweighted } = weightPatterns(coding);
  return `	map {http.request.header.Accept-Encoding} {pp_weight_${name}} {
		${token(`~(?i)${weighted}`)} =0$1
		${token(`~(?i)${unweighted}`)} =1
		default ${coding === '*' ? '=0' : '{pp_weight_any}'}
	}`;
}

function matches(list: readonly Match[]): string {
  return list.map(([pattern, value]) => `\t\t${token(`~${pattern}`)} ${value}`).join('\n');
}

/** A text as one token. */
function token(text: string): string {
  return `\`${text}\``;
}
