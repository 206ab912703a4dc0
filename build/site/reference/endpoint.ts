/** The parts of the reference that come from the OpenAPI description: endpoints, header fields and errors. */
import { compareTexts, groupBy } from '../../content/groups.ts';
import { type ApiError, apiErrors } from '../../release/errors.ts';
import { type Schema, schemas } from '../../release/schemas.ts';
import { codeBlock, sampleTabs } from '../code.ts';
import { commaList, type Html, html, inline, table } from '../html.ts';
import { type Description, type Operation, type PathItem, resolve } from '../openapi/openapi.ts';

/** The method and path of an endpoint, which can break before each slash. */
export function requestLine(path: string): Html {
  const segments = path.split('/').slice(1);
  return html`<span class="method">GET</span> <code>${segments.map((segment) => html`<wbr>/${segment}`)}</code>`;
}

/** One endpoint. In a wide window, its samples and example response are beside its parameters, body and responses. */
export function endpointSection(description: Description, path: string, { get }: PathItem): Html {
  const { components } = description;
  const { operationId, summary, security, parameters = [], 'x-codeSamples': samples = [] } = get;
  const parameterItems = parameters.map((reference) => {
    const { name, description, schema, required } = resolve(components.parameters, reference);
    const examples = commaList(schema.examples.map((value) => html`<code>${String(value)}</code>`));
    const text = html`${inline(description)} Example: ${examples}`;
    // A field of the body may have the same name.
    return fieldItem(
      `${operationId}.parameters.${name}`,
      name,
      required ? 'path' : 'header, optional',
      text,
    );
  });
  const content = get.responses['200']?.content ?? {};
  const { schema, examples = {} } = content['application/json'] ?? {};
  const [example] = Object.values(examples);
  const mediaTypes = Object.keys(content).map((mediaType) => html`<code>${mediaType}</code>`);
  const isProtected = security.length > 0;
  const endpoint = html`data-try="${path}"${isProtected && html` data-protected`}`;
  const tryButton = html`<button class="button" type="button" ${endpoint} aria-controls="try" aria-expanded="false">Try it</button>`;
  return html`<section class="endpoint" aria-labelledby="${operationId}">
<div class="about">
<h3 id="${operationId}">${summary}</h3>
<p class="actions">${requestLine(path)}
${isProtected ? html`<span class="badge">API key required</span>` : html`<span class="badge good">No API key required</span>`}
</p>
<p>${inline(get.description)}</p>
</div>
<div class="code">
${sampleTabs(operationId, samples)}${
  example &&
  html`<div class="sample">
<p class="hint language">Response: ${example.summary.toLowerCase()}</p>
${codeBlock(JSON.stringify(example.value, undefined, 2), 'json')}</div>
`
}</div>
<div class="details">
${path !== '/' && html`<p>${tryButton}</p>`}
${
  parameters.length > 0 &&
  html`<h4>Parameters</h4>
<ul class="tree">
${parameterItems}</ul>`
}
${
  schema &&
  html`<h4>Body</h4>
${fieldTree(operationId, inner(schema) ?? {})}`
}
${
  !schema &&
  mediaTypes.length > 0 &&
  html`<h4>Body</h4>
<p>The bytes of an image: ${commaList(mediaTypes)}.</p>`
}
<h4>Responses</h4>
<ul class="plain">
${responseItems(get, commonErrors(description))}</ul>
<p>Any endpoint can also return the <a href="#errors">common errors</a>. <a href="#headers">Response headers</a> are
listed below.</p>
</div>
</section>
`;
}

/** The fields of an object in their order. Objects inside it unfold. @param id prefix of the anchors of the fields */
function fieldTree(id: string, { properties = {}, required = [], oneOf }: Schema): Html {
  const items = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const object = inner(schema);
    const fields = object?.type === 'object' ? object : undefined;
    // The main list of a response is open.
    const isOpen = schema.type === 'array' && isRequired && !id.includes('.');
    return fieldItem(
      `${id}.${name}`,
      name,
      html`${typeOf(schema)}${isRequired ? '' : ', optional'}`,
      inline(schema.description ?? object?.description ?? ''),
      fields &&
        html`<details${isOpen ? html` open` : ''}>
<summary>${fields.title ?? name} fields</summary>
${fieldTree(`${id}.${name}`, fields)}
</details>
`,
    );
  });
  return html`${oneOf ? variants(oneOf) : ''}<ul class="tree">
${items}</ul>`;
}

function fieldItem(
  id: string,
  name: string,
  type: Html | string,
  text: Html | Html[],
  more?: Html,
): Html {
  return html`<li><code id="${id}">${name}</code> <span class="faint">${type}</span>
<p>${text}</p>
${more ?? ''}</li>
`;
}

/** What each type of question requires of `options` and `answer`, side by side. */
function variants(types: readonly Schema[]): Html {
  const columns = types.map(({ title = '', properties = {} }) => {
    const { type, options, answer } = properties;
    return html`<div>
<h5><code>${String(type?.const)}</code></h5>
<p>${title}.</p>
<p><code>options</code>: ${options?.minItems ? `${options.minItems} or more` : 'empty'}.</p>
<p><code>answer</code>: ${inline(inner(answer?.oneOf?.[0] ?? {})?.description ?? '')}</p>
</div>
`;
  });
  return html`<div class="columns">\n${columns}</div>\n`;
}

/** The schema behind a reference: of the value itself, or of the items of an array. */
function inner(schema: Schema): Schema | undefined {
  const { $ref } = schema.items ?? schema;
  return $ref === undefined ? undefined : resolve(schemas, { $ref });
}

function typeOf(schema: Schema): Html {
  if (schema.type === 'array') return html`array of ${typeOf(schema.items ?? {})}s`;
  if (schema.enum)
    return html`${commaList(schema.enum.map((value) => html`<code>${value}</code>`))}`;
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`;
  const component = inner(schema);
  return component ? typeOf(component) : html`${schema.format ?? schema.type ?? ''}`;
}

/** The statuses of an endpoint, with links to the errors that not every endpoint has. */
function responseItems({ responses }: Operation, common: ReadonlySet<string>): Html[] {
  return ownResponses(responses).flatMap(([status, { description, content }]) => {
    if (Number(status) < 400)
      return [html`<li>${statusBadge(status)} ${inline(description)}</li>\n`];
    return Object.entries(content?.['application/json']?.examples ?? {})
      .filter(([name]) => !common.has(name))
      .map(([, { value }]) => {
        const { error } = value as { error: string };
        return html`<li>${statusBadge(status)} <a href="#${errorId(error)}">${error}</a></li>\n`;
      });
  });
}

/** The errors of the API: first those of every endpoint, then the others. */
export function errorTables(description: Description): Html[] {
  const common = commonErrors(description);
  const errors = Object.entries<ApiError>(apiErrors);
  const those = (isCommon: boolean) =>
    errors.filter(([name]) => common.has(name) === isCommon).map(([, error]) => error);
  return [
    errorTable(those(true), 'Common errors: any endpoint'),
    errorTable(those(false), 'Errors of some endpoints'),
  ];
}

/** The names of the errors that every endpoint can respond with. */
function commonErrors({ paths }: Description): ReadonlySet<string> {
  const lists = Object.values(paths).map(({ get }) => errorsOf(get));
  return new Set(lists[0]?.filter((name) => lists.every((list) => list.includes(name))));
}

function errorsOf({ responses }: Operation): string[] {
  return ownResponses(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { content }]) => Object.keys(content?.['application/json']?.examples ?? {}));
}

/** A table of errors, each with an anchor. */
export function errorTable(errors: readonly ApiError[], caption?: string): Html {
  const rows = errors.map(({ status, message, cause }) => [
    statusBadge(String(status)),
    html`<span id="${errorId(message)}">${message}</span>`,
    inline(cause),
  ]);
  return table(['Status', 'Message', 'Cause'], rows, caption);
}

function errorId(message: string): string {
  return `error-${message.toLowerCase().replaceAll(' ', '-')}`;
}

function statusBadge(status: string): Html {
  return html`<span class="badge ${Number(status) < 400 ? 'good' : 'bad'}">${status}</span>`;
}

/** The header fields of all endpoints in alphabetical order, with the kinds of endpoint and the statuses of each. */
export function headerTable({ paths, components }: Description): Html {
  const uses = Object.values(paths).flatMap(({ get }) =>
    ownResponses(get.responses).flatMap(([status, { headers }]) =>
      Object.entries(headers).map(([field, reference]) => {
        const { description } = resolve(components.headers, reference);
        return { row: `${field}\n${description}`, status, tags: get.tags };
      }),
    ),
  );
  const known = new Set<string>();
  const rows = [...groupBy(uses, ({ row }) => row)]
    .sort(([one], [other]) => compareTexts(one, other))
    .map(([row, ofRow]) => {
      const [field = '', text = ''] = row.split('\n');
      const tags = new Set(ofRow.flatMap((use) => use.tags));
      const statuses = new Set(ofRow.map(({ status }) => status).sort());
      // Several rows may have the same field: the first has the anchor.
      const id = known.has(field) ? '' : html` id="header-${field.toLowerCase()}"`;
      known.add(field);
      return [
        html`<code${id}>${field}</code>`,
        [...tags].join(', '),
        [...statuses].join(', '),
        inline(text),
      ];
    });
  return table(['Field', 'Endpoints', 'Status', 'Description'], rows);
}

/** The responses with a status of their own. */
function ownResponses(responses: Operation['responses']) {
  return Object.entries(responses).filter(([status]) => status !== 'default');
}
