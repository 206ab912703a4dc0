/** The API reference at `/docs/reference/`, which is also readable without its script. */
import type { CompiledExam } from '../../compile/exams.ts';
import type { Output } from '../../compile/response.ts';
import type { Bank } from '../../release/bank.ts';
import { publicFile, publicPage, scriptAsset } from '../assets.ts';
import { originNote, sample } from '../code.ts';
import { examplePaper } from '../example.ts';
import { commaList, type Html, html, paragraphs, table } from '../html.ts';
import { contents, docsMain, keyUrl, layout, type Site } from '../layout.ts';
import { type Description, describeApi, limitsText, texts } from '../openapi/description.ts';
import { typedClientSample } from '../openapi/samples.ts';
import { endpointSection, errorTables, headerTable, requestLine } from './endpoint.ts';

/** Makes the OpenAPI description, the reference and its script. */
export async function referenceOutputs(site: Site, exams: readonly CompiledExam[]): Promise<Output[]> {
  const description = describeApi(site.bank, exams);
  const script = await scriptAsset('docs/reference.js', 'reference');
  const page = layout(site, {
    title: 'API reference',
    description: texts.overview,
    script: script.url,
    place: '/docs/reference/',
    main: referenceMain(site.bank, description, exams),
  });
  return [
    publicPage('docs/reference', page),
    publicFile('docs/openapi.json', 'application/json; charset=utf-8', Buffer.from(JSON.stringify(description))),
    script.output,
  ];
}

function referenceMain(bank: Bank, description: Description, exams: readonly CompiledExam[]): Html {
  const example = examplePaper(exams, bank.publicUrl);
  const endpoints = Object.entries(description.paths);
  const endpointLinks = endpoints.map(
    ([path, { get }]) =>
      [`#${get.operationId}`, html`${get.summary} <span class="request">${requestLine(path)}</span>`] as const,
  );
  return docsMain(
    contents('On this page', [
      ['#endpoints', 'Endpoints', endpointLinks],
      ['#headers', 'Response headers'],
      ['#errors', 'Errors'],
      ['#shifts', 'Shift names'],
      ['#keys', 'Keys and limits'],
      ['#caching', 'Caching'],
      ['#checksums', 'Checksums'],
      ['#cors', 'CORS'],
      ['#exams', 'Exams'],
      ['#client', 'Typed client'],
    ]),
    html`<h1>API reference</h1>
<p>${texts.overview}</p>
<p class="actions"><a class="button primary" href="${keyUrl(bank)}">Get a key</a>
<a class="button" href="/docs/guides/">Guides</a>
<a class="button" href="/docs/openapi.json">OpenAPI description</a></p>
`,
    html`<h2 id="endpoints">Endpoints</h2>
<p>All requests use <code>GET</code>. Responses are JSON, except for diagrams. The samples read the key from the
environment: <code>export API_KEY=pfx_...</code></p>
${originNote(example)}
<noscript><p>To send requests from this page, enable JavaScript. The samples send them from a terminal.</p></noscript>
${endpoints.map(([path, item]) => endpointSection(description, path, item))}${tryForm(bank, description)}<h2 id="headers">Response headers</h2>
${headerTable(description)}<h2 id="errors">Errors</h2>
${paragraphs(texts.errors)}${errorTables()}<h2 id="shifts">Shift names</h2>
${paragraphs(texts.shiftNames)}<h2 id="keys">Keys and limits</h2>
${paragraphs(texts.keys)}${paragraphs(limitsText(bank.plans))}${paragraphs(texts.retries)}<p>Guides:
<a href="/docs/guides/key/">Getting a key</a>, <a href="/docs/guides/limits/">Limits and retries</a>.</p>
<h2 id="caching">Caching</h2>
${paragraphs(texts.caching)}<p>Guide: <a href="/docs/guides/copy/">Keeping a mirror</a>.</p>
<h2 id="checksums">Checksums</h2>
${paragraphs(texts.checksums)}<p>Guide: <a href="/docs/guides/checksum/">Verifying a checksum</a>.</p>
<h2 id="cors">CORS</h2>
${paragraphs(texts.cors)}<h2 id="exams">Exams</h2>
${examTable(exams)}<h2 id="client">Typed client</h2>
<p><code>openapi-typescript</code> generates TypeScript types from the <a href="/docs/openapi.json">OpenAPI description</a>.
With <code>openapi-fetch</code>, a wrong path, parameter or field is a compile error:</p>
${sample('TypeScript', typedClientSample(example))}<p>Other client generators read the same description.</p>
`,
  );
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
  const inPath = Object.values(components.parameters).filter((parameter) => parameter.in === 'path');
  return html`<div class="card" id="try" hidden>
<form class="fields" id="try-form">
${inPath.map(
  ({ name, example, schema }) => html`<div class="field" data-field="${name}">
<label for="try-${name}">${name}</label>
<input id="try-${name}" list="try-${name}-list" placeholder="${String(example)}" autocomplete="off" autocapitalize="none" spellcheck="false">
<datalist id="try-${name}-list">${(schema.examples ?? []).map((value) => html`<option value="${String(value)}"></option>`)}</datalist>
</div>
`,
)}<p class="hint wide">An empty field has the value that it shows.</p>
<p class="hint wide" data-field="filename">File names are in <code>diagrams[].file</code> of a question. To choose from a
list, first send a request for the questions of the shift.</p>
<div class="field wide" data-field="key">
<label for="try-key">API key</label>
<div class="joined">
<input id="try-key" class="secret" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="try-key-hint">
<button class="button" type="button" id="try-show-key" aria-pressed="false" aria-label="Show the key">Show</button>
</div>
<p class="hint" id="try-key-hint">The key is not stored. Each request counts towards your limits.
<a href="${keyUrl(bank)}">Get a key</a></p>
</div>
<div class="wide actions">
<button class="button primary" type="submit">Send</button>
<code class="faint" id="try-request"></code>
</div>
</form>
<div class="response" id="try-response" role="group" aria-labelledby="try-status" hidden>
<p class="message" id="try-status" role="status"></p>
<div id="try-body"></div>
<details id="try-headers">
<summary>Response headers</summary>
<table><tbody></tbody></table>
</details>
</div>
</div>
`;
}
