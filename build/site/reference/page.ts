/** The API reference at `/docs/reference/`, which is also readable without its script. */
import type { CompiledExam } from '../../compile/exams.ts';
import type { Output } from '../../compile/response.ts';
import type { Bank } from '../../release/config.ts';
import { publicFile, scriptAsset } from '../assets.ts';
import { originNote } from '../code.ts';
import { examplePaper } from '../example.ts';
import { commaList, type Html, html, table, verbatim } from '../html.ts';
import {
  type ContentsLink,
  docsMain,
  headingLinks,
  keyUrl,
  type Site,
  sitePage,
} from '../layout.ts';
import { markdown } from '../markdown.ts';
import { type Description, overviewSection } from '../openapi/openapi.ts';
import { readPage } from '../template.ts';
import { endpointSection, errorTables, headerTable, requestLine } from './endpoint.ts';

/** Makes the file of the OpenAPI description, the reference and its script. */
export async function referenceOutputs(
  site: Site,
  exams: readonly CompiledExam[],
  description: Description,
): Promise<Output[]> {
  const script = await scriptAsset('docs/reference.js', 'reference');
  const { template, ...heading } = readPage('reference.md', import.meta.url);
  const text = referenceText(template, site.bank, description, exams);
  const lead = html`<p class="actions"><a class="button primary" href="${keyUrl(site.bank)}">Get a key</a>
<a class="button" href="/docs/guides/">Guides</a>
<a class="button" href="/docs/openapi.json">OpenAPI description</a></p>`;
  const main = docsMain(
    heading,
    lead,
    { label: 'On this page', links: sectionLinks(text, description) },
    text,
  );
  const page = { ...heading, script: script.url, place: '/docs/reference/', main };
  return [
    sitePage(site, 'docs/reference', page),
    publicFile(
      'docs/openapi.json',
      'application/json; charset=utf-8',
      Buffer.from(JSON.stringify(description)),
    ),
    script.output,
  ];
}

/** The links to the sections, and to the endpoints. */
function sectionLinks(text: Html, { paths }: Description): ContentsLink[] {
  const endpoints = Object.entries(paths).map(([path, { get }]): ContentsLink => {
    return [
      `#${get.operationId}`,
      html`${get.summary} <span class="request">${requestLine(path)}</span>`,
    ];
  });
  return headingLinks(text).map(([href, name]) => [
    href,
    name,
    href === '#endpoints' ? endpoints : [],
  ]);
}

function referenceText(
  template: string,
  bank: Bank,
  description: Description,
  exams: readonly CompiledExam[],
): Html {
  const example = examplePaper(exams, bank.publicUrl);
  const endpoints = Object.entries(description.paths);
  return markdown(template, {
    ...example,
    text: (heading) => overviewSection(description, heading),
    keys: description.components.securitySchemes.apiKey.description,
    originNote: originNote(example),
    endpoints: html`${endpoints.map(([path, item]) => endpointSection(description, path, item))}`,
    tryForm: tryForm(bank, description),
    headerTable: headerTable(description),
    errorTables: html`${errorTables(description)}`,
    examTable: examTable(exams),
  });
}

function examTable(exams: readonly CompiledExam[]): Html {
  return table(
    ['Exam', 'Code', 'Years'],
    exams.map(({ resource: { exam, label, years } }) => [
      label,
      html`<code>${exam}</code>`,
      commaList(years.map((year) => html`<a href="/${exam}/${year}">${year}</a>`)),
    ]),
  );
}

/** The form that sends a request. The page's script moves it into an endpoint, and offers values from the API. */
function tryForm(bank: Bank, { components }: Description): Html {
  const inPath = Object.values(components.parameters).filter(
    (parameter) => parameter.in === 'path',
  );
  const fields = inPath.map(({ name, example, schema }) => {
    const options = schema.examples.map(
      (value) => html`<option value="${String(value)}"></option>`,
    );
    return html`<div class="field" data-field="${name}">
<label for="try-${name}">${name}</label>
<input id="try-${name}" list="try-${name}-list" placeholder="${String(example)}" autocomplete="off" ${verbatim}>
<datalist id="try-${name}-list">${options}</datalist>
</div>`;
  });
  return html`<div class="card" id="try" hidden>
<form class="fields" id="try-form">
${fields}
<p class="hint wide">An empty field has the value that it shows.</p>
<p class="hint wide" data-field="filename">File names are in <code>diagrams[].file</code> of a question. To choose from a
list, first send a request for the questions of the shift.</p>
<div class="field wide" data-field="key">
<label for="try-key">API key</label>
<input id="try-key" class="secret" autocomplete="off" ${verbatim} aria-describedby="try-key-hint">
<p class="hint" id="try-key-hint">The key is not stored. Each request counts towards your limits.
<a href="${keyUrl(bank)}">Get a key</a></p>
<button class="button" type="button" id="try-new-key" hidden>Use a new key of my account, for an hour</button>
</div>
<div class="wide actions">
<button class="button primary" type="submit">Send</button>
<code class="faint" id="try-request"></code>
</div>
</form>
<div class="response" id="try-response" role="group" aria-labelledby="try-status" hidden>
<p class="message" id="try-status" role="status"></p>
<div id="try-body"></div>
<details id="try-headers" open>
<summary>Response headers</summary>
<table><tbody></tbody></table>
</details>
</div>
</div>`;
}
