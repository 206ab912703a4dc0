import { type Html, html } from '../html.ts';
import { type Description, resolve, type Schema } from '../openapi/openapi.ts';
import { inline } from './prose.ts';

/** The fields of an object, in their order: name, type, meaning. */
export function fieldTable(
  description: Description,
  caption: string,
  { properties = {}, required = [] }: Schema,
): Html {
  return html`<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${Object.entries(properties).map(
  ([name, schema]) => html`<tr><th scope="row"><code>${name}</code>${
    required.includes(name) ? '' : html` <span class="optional">optional</span>`
  }</th><td>${typeOf(description, schema)}</td><td>${inline(meaningOf(description, schema))}</td></tr>
`,
)}</tbody>
</table>
`;
}

/** Objects that stand inside others, by their component's name: each has a table of its own. */
export function innerObjects({ components, paths }: Description): readonly (readonly [string, Schema])[] {
  const bodies = Object.values(paths).flatMap(({ get }) =>
    Object.values(get.responses).map(({ content }) => content?.['application/json']?.schema?.$ref),
  );
  return Object.entries(components.schemas).filter(
    ([name, { type }]) => type === 'object' && !bodies.includes(`#/components/schemas/${name}`),
  );
}

/** The id of an object's table. */
export function objectId(component: string): string {
  return `object-${component}`;
}

function typeOf(description: Description, schema: Schema): Html {
  if (schema.type === 'array') return html`array of ${typeOf(description, schema.items ?? {})}`;
  if (schema.enum)
    return html`${schema.enum.map((value, index) => html`${index > 0 ? ', ' : ''}<code>${value}</code>`)}`;
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`;
  if (schema.$ref === undefined) return html`${schema.format ?? schema.type ?? ''}`;
  const component = resolve(description.components.schemas, { $ref: schema.$ref });
  if (component.type !== 'object') return typeOf(description, component);
  return html`<a href="#${objectId(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1))}">${(component.title ?? '').toLowerCase()}</a>`;
}

function meaningOf({ components }: Description, { description, $ref }: Schema): string {
  if (description !== undefined || $ref === undefined) return description ?? '';
  return resolve(components.schemas, { $ref }).description ?? '';
}
