/** The parts of the reference that come from the OpenAPI description: endpoints, and tables of fields and errors. */
import { type ApiError, apiErrors } from '../../release/errors.ts';
import { type Schema, schemas } from '../../release/schemas.ts';
import { commaList, type Html, html, inline, table } from '../html.ts';
import { headers } from '../openapi/components.ts';
import type { Description } from '../openapi/description.ts';
import { type Operation, type PathItem, type Reference, resolve } from '../openapi/openapi.ts';
import { type RequestSamples, sampleTabs } from './samples.ts';

/** One endpoint: samples, parameters, body, statuses and header fields. @param samples by operation id */
export function endpointSection(
  { components }: Description,
  path: string,
  item: PathItem,
  samples: Readonly<Record<string, RequestSamples>>,
): Html {
  const { operationId, summary, description, security, parameters = [] } = item.get;
  const ofEndpoint = samples[operationId];
  if (!ofEndpoint) throw new Error(`There is no sample of ${operationId}.`);
  const breakablePath = path
    .slice(1)
    .split('/')
    .map((segment) => html`/<wbr>${segment}`);
  const parameterRows = [...(item.parameters ?? []), ...parameters].map((reference) => {
    const { name, description, examples, required } = resolve(components.parameters, reference);
    return [
      html`<code>${name}</code>${required ? '' : html` <span class="badge">header</span>`}`,
      commaList(Object.values(examples).map(({ value }) => html`<code>${String(value)}</code>`)),
      inline(description),
    ];
  });
  return html`<section class="endpoint" aria-labelledby="${operationId}">
<h3 id="${operationId}"><span class="badge method">GET</span> <code>${breakablePath}</code></h3>
<p><strong>${summary}.</strong> ${inline(description)}
${security.length > 0 ? html`<span class="badge">API key required</span>` : html`<span class="badge good">No API key required</span>`}</p>
${sampleTabs(operationId, ofEndpoint)}${
  parameterRows.length > 0 ? table(['Name', 'Example', 'Description'], parameterRows, 'Parameters') : ''
}${body(item.get)}${statusTable(item.get)}<details>
<summary>Response headers</summary>
${headerTable(item.get)}</details>
</section>
`;
}

/** The fields of a JSON body with an example, or the media types of an image. */
function body({ responses }: Operation): Html | string {
  const content = responses['200']?.content;
  if (!content) return '';
  const json = content['application/json'];
  if (!json?.schema?.$ref) {
    const mediaTypes = Object.keys(content).map((mediaType) => html`<code>${mediaType}</code>`);
    return html`<p>The body is an image: ${commaList(mediaTypes)}.</p>\n`;
  }
  const [example] = Object.values(json.examples ?? {});
  return html`${fieldTable('Body', resolve(schemas, { $ref: json.schema.$ref }))}<details>
<summary>Example: ${(example?.summary ?? '').toLowerCase()}</summary>
<pre tabindex="0"><code>${JSON.stringify(example?.value, undefined, 2)}</code></pre>
</details>
`;
}

/** Every status of an endpoint, with every error message. */
function statusTable({ responses }: Operation): Html {
  const rows = documentedResponses(responses).flatMap(([status, { description, content }]) => {
    if (Number(status) < 400) return [statusRow(status, '', description)];
    return Object.values(content?.['application/json']?.examples ?? {}).map(({ summary, value }) =>
      statusRow(status, (value as { error: string }).error, summary),
    );
  });
  return table(statusHeadings, rows, 'Responses');
}

/** A table of errors, by default of all. */
export function errorTable(errors: readonly ApiError[] = Object.values(apiErrors)): Html {
  const rows = errors.map(({ status, message, cause }) => statusRow(String(status), message, cause));
  return table(statusHeadings, rows);
}

const statusHeadings = ['Status', 'Message', 'Cause'];

function statusRow(status: string, message: string, cause: string) {
  const tone = Number(status) < 400 ? 'good' : 'bad';
  return [html`<span class="badge ${tone}">${status}</span>`, message, inline(cause)];
}

/** The header fields of an endpoint's responses, in alphabetical order. */
function headerTable({ responses }: Operation): Html {
  const documented = documentedResponses(responses);
  const statuses = new Map<string, string[]>();
  for (const [status, response] of documented) {
    for (const [field, reference] of Object.entries(response.headers)) {
      const row = `${field}\n${resolve(headers, reference).description}`;
      statuses.set(row, [...(statuses.get(row) ?? []), status]);
    }
  }
  const rows = [...statuses]
    .map(([row, list]) => [...row.split('\n'), list.length === documented.length ? 'all' : list.join(', ')])
    .sort(([a = ''], [b = '']) => a.localeCompare(b, 'en'))
    .map(([field = '', text = '', shown = '']) => [html`<code>${field}</code>`, shown, inline(text)]);
  return table(['Field', 'Status', 'Description'], rows, 'Response headers');
}

/** The responses with a status of their own. */
function documentedResponses(responses: Operation['responses']) {
  return Object.entries(responses).filter(([status]) => status !== 'default');
}

/** The fields of an object, in their order. */
function fieldTable(caption: string, { properties = {}, required = [] }: Schema): Html {
  const rows = Object.entries(properties).map(([name, schema]) => [
    html`<code>${name}</code>${required.includes(name) ? '' : html` <span class="badge">optional</span>`}`,
    typeOf(schema),
    inline(schema.description ?? ((isReference(schema) && resolve(schemas, schema).description) || '')),
  ]);
  return table(['Field', 'Type', 'Description'], rows, caption);
}

/** The objects inside response bodies. */
export function nestedObjects(): Html[] {
  const references = JSON.stringify(schemas);
  return Object.entries(schemas)
    .filter(([name, { type }]) => type === 'object' && references.includes(`/schemas/${name}"`))
    .map(
      ([name, schema]) => html`<section class="object" aria-labelledby="object-${name}">
<h3 id="object-${name}">${schema.title ?? name}</h3>
<p>${inline(schema.description ?? '')}</p>
${fieldTable('Fields', schema)}</section>
`,
    );
}

function typeOf(schema: Schema): Html {
  if (schema.type === 'array') return html`array of ${typeOf(schema.items ?? {})}`;
  if (schema.enum) return html`${commaList(schema.enum.map((value) => html`<code>${value}</code>`))}`;
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`;
  if (!isReference(schema)) return html`${schema.format ?? schema.type ?? ''}`;
  const component = resolve(schemas, schema);
  if (component.type !== 'object') return typeOf(component);
  return html`<a href="#object-${schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)}">${(component.title ?? '').toLowerCase()}</a>`;
}

function isReference(schema: Schema): schema is Schema & Reference {
  return schema.$ref !== undefined;
}
