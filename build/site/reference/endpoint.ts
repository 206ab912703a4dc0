/** The parts of the reference that come from the OpenAPI description: endpoints, and tables of fields and errors. */
import { type ApiError, apiErrors } from '../../release/errors.ts';
import type { Schema } from '../../release/schemas.ts';
import { commaList, type Html, html, inline, table } from '../html.ts';
import {
  type Description,
  type Operation,
  type PathItem,
  type Reference,
  resolve,
} from '../openapi/openapi.ts';
import { type RequestSamples, sampleTabs } from './samples.ts';

/** One endpoint: samples, parameters, body, statuses and header fields. */
export function endpointSection(
  description: Description,
  path: string,
  { parameters = [], get }: PathItem,
  samples: RequestSamples,
): Html {
  const { operationId, summary, security } = get;
  return html`<section class="endpoint" aria-labelledby="${operationId}">
<h3 id="${operationId}"><span class="method">GET</span> <code>${breakablePath(path)}</code></h3>
<p class="summary"><strong>${summary}.</strong> ${inline(get.description)}
${security.length > 0 ? html`<span class="need">API key required</span>` : html`<span class="need open">No API key required</span>`}</p>
${sampleTabs(operationId, samples)}${parameterTable(description, [...parameters, ...(get.parameters ?? [])])}${body(
  description,
  get,
)}${statusTable(get)}<details>
<summary>Response headers</summary>
${headerTable(description, get)}</details>
</section>
`;
}

/** A path that may break before each slash. */
function breakablePath(path: string): Html[] {
  return path.split(/(?=\/)/).map((part, index) => html`${index > 0 ? html`<wbr>` : ''}${part}`);
}

function parameterTable({ components }: Description, references: readonly Reference[]): Html | string {
  if (references.length === 0) return '';
  const rows = references.map((reference) => {
    const { name, description, examples = {}, required } = resolve(components.parameters, reference);
    const values = Object.values(examples).map(({ value }) => html`<code>${String(value)}</code>`);
    return [
      html`<code>${name}</code>${required ? '' : html` <span class="optional">header</span>`}`,
      commaList(values),
      inline(description),
    ];
  });
  return table(['Name', 'Example', 'Description'], rows, 'Parameters');
}

/** The fields of a JSON body with an example, or the media types of an image. */
function body(description: Description, { responses }: Operation): Html | string {
  const content = responses['200']?.content;
  if (!content) return '';
  const json = content['application/json'];
  if (!json?.schema?.$ref) {
    const mediaTypes = Object.keys(content).map((mediaType) => html`<code>${mediaType}</code>`);
    return html`<p>The body is an image: ${commaList(mediaTypes)}.</p>
`;
  }
  const schema = resolve(description.components.schemas, { $ref: json.schema.$ref });
  const [example] = Object.values(json.examples ?? {});
  return html`${fieldTable(description, 'Body', schema)}<details>
<summary>Example: ${(example?.summary ?? '').toLowerCase()}</summary>
<pre class="code" tabindex="0"><code>${JSON.stringify(example?.value, undefined, 2)}</code></pre>
</details>
`;
}

/** Every status of an endpoint, with every error message. */
function statusTable({ responses }: Operation): Html {
  const rows = documentedResponses(responses).flatMap(([status, { description, content }]) => {
    const errors = Number(status) < 400 ? [] : Object.values(content?.['application/json']?.examples ?? {});
    if (errors.length === 0) return [statusRow(status, '', description)];
    return errors.map(({ summary, value }) => statusRow(status, (value as { error: string }).error, summary));
  });
  return table(statusHeadings, rows, 'Responses');
}

/** A table of errors, by default of all. */
export function errorTable(errors: readonly ApiError[] = Object.values(apiErrors)): Html {
  return table(
    statusHeadings,
    errors.map(({ status, message, cause }) => statusRow(String(status), message, cause)),
  );
}

const statusHeadings = ['Status', 'Message', 'Cause'];

function statusRow(status: string, message: string, cause: string) {
  return [
    html`<span class="status status-${status.charAt(0)}">${status}</span>`,
    message,
    inline(cause),
  ] as const;
}

/** The header fields of an endpoint's responses, in alphabetical order. */
function headerTable(description: Description, { responses }: Operation): Html {
  const documented = documentedResponses(responses);
  const rows = new Map<string, { field: string; text: string; statuses: string[] }>();
  for (const [status, { headers }] of documented) {
    for (const [field, reference] of Object.entries(headers)) {
      const { description: text } = resolve(description.components.headers, reference);
      const key = `${field}\n${text}`;
      const row = rows.get(key) ?? { field, text, statuses: [] };
      row.statuses.push(status);
      rows.set(key, row);
    }
  }
  const sorted = [...rows.values()].sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
  return table(
    ['Field', 'Status', 'Description'],
    sorted.map(({ field, text, statuses }) => [
      html`<code>${field}</code>`,
      statuses.length === documented.length ? 'all' : statuses.join(', '),
      inline(text),
    ]),
    'Response headers',
  );
}

/** The responses with a status of their own. */
function documentedResponses(responses: Operation['responses']) {
  return Object.entries(responses).filter(([status]) => status !== 'default');
}

/** The fields of an object, in their order. */
export function fieldTable(
  description: Description,
  caption: string,
  { properties = {}, required = [] }: Schema,
): Html {
  const rows = Object.entries(properties).map(([name, schema]) => [
    html`<code>${name}</code>${required.includes(name) ? '' : html` <span class="optional">optional</span>`}`,
    typeOf(description, schema),
    inline(descriptionOf(description, schema)),
  ]);
  return table(['Field', 'Type', 'Description'], rows, caption);
}

/** Returns the objects that are part of a body, by component name. */
export function nestedObjects({ components, paths }: Description): readonly (readonly [string, Schema])[] {
  const bodies = Object.values(paths).flatMap(({ get }) =>
    Object.values(get.responses).map(({ content }) => content?.['application/json']?.schema?.$ref),
  );
  return Object.entries(components.schemas).filter(
    ([name, { type }]) => type === 'object' && !bodies.includes(`#/components/schemas/${name}`),
  );
}

/** The id of the section about an object. */
export function objectId(component: string): string {
  return `object-${component}`;
}

function typeOf(description: Description, schema: Schema): Html {
  if (schema.type === 'array') return html`array of ${typeOf(description, schema.items ?? {})}`;
  if (schema.enum) return html`${commaList(schema.enum.map((value) => html`<code>${value}</code>`))}`;
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`;
  if (schema.$ref === undefined) return html`${schema.format ?? schema.type ?? ''}`;
  const component = resolve(description.components.schemas, { $ref: schema.$ref });
  if (component.type !== 'object') return typeOf(description, component);
  return html`<a href="#${objectId(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1))}">${(component.title ?? '').toLowerCase()}</a>`;
}

function descriptionOf({ components }: Description, { description, $ref }: Schema): string {
  if (description !== undefined || $ref === undefined) return description ?? '';
  return resolve(components.schemas, { $ref }).description ?? '';
}
