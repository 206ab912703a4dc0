import { type Html, html } from '../html.ts';
import {
  type Description,
  type Operation,
  type PathItem,
  type Reference,
  resolve,
} from '../openapi/openapi.ts';
import { headerTable, statusTable } from './answers.ts';
import { fieldTable } from './fields.ts';
import { inline } from './prose.ts';
import type { SampleRequest } from './samples/sample.ts';
import { sampleCode } from './samples/sample-code.ts';

/** Everything about one endpoint. */
export function endpointSection(
  description: Description,
  path: string,
  { parameters = [], get }: PathItem,
  request: SampleRequest,
): Html {
  const { operationId, summary, security } = get;
  return html`<section class="endpoint" aria-labelledby="${operationId}">
<h3 id="${operationId}"><span class="method">GET</span> <code>${pathParts(path)}</code></h3>
<p class="summary"><strong>${summary}.</strong> ${inline(get.description)}
${security.length > 0 ? html`<span class="need">Needs a key</span>` : html`<span class="need open">Needs no key</span>`}</p>
${sampleCode(operationId, request)}${parameterTable(description, [...parameters, ...(get.parameters ?? [])])}${bodyOf(
  description,
  get,
)}${statusTable(get)}<details>
<summary>Header fields</summary>
${headerTable(description, get)}</details>
</section>
`;
}

/** A path may break before each of its slashes. */
function pathParts(path: string): Html[] {
  return path.split(/(?=\/)/).map((part, index) => html`${index > 0 ? html`<wbr>` : ''}${part}`);
}

function parameterTable({ components }: Description, references: readonly Reference[]): Html | string {
  if (references.length === 0) return '';
  return html`<table>
<caption>Parameters</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Like</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${references.map((reference) => {
  const { name, description, examples = {}, required } = resolve(components.parameters, reference);
  return html`<tr><th scope="row"><code>${name}</code>${required ? '' : html` <span class="optional">header</span>`}</th><td>${Object.values(
    examples,
  ).map(
    ({ value }, index) => html`${index > 0 ? ', ' : ''}<code>${String(value)}</code>`,
  )}</td><td>${inline(description)}</td></tr>
`;
})}</tbody>
</table>
`;
}

/** The fields of a JSON body, and an example; the media types of another. */
function bodyOf(description: Description, { responses }: Operation): Html | string {
  const content = responses['200']?.content;
  if (!content) return '';
  const json = content['application/json'];
  if (!json?.schema?.$ref) {
    const mediaTypes = Object.keys(content);
    return html`<p>The body is an image: ${mediaTypes.map(
      (mediaType, index) => html`${index > 0 ? ', ' : ''}<code>${mediaType}</code>`,
    )}.</p>
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
