/** The API reference at `/docs/`, which is also readable without its script. */
import type { CompiledExam } from '../../compile/exams.ts';
import type { Output } from '../../compile/response.ts';
import { publicFile, publicPage, scriptAsset } from '../assets.ts';
import { examplePaper } from '../example.ts';
import { commaList, type Html, html, paragraphs, table } from '../html.ts';
import { contents, docsMain, layout } from '../layout.ts';
import { type Description, describeApi, texts } from '../openapi/description.ts';
import { sampleOrigin } from '../text.ts';
import { endpointSection, errorTable, nestedObjects } from './endpoint.ts';
import { endpointSamples, originNote, sample, typedClientSample } from './samples.ts';

/**
 * Makes the OpenAPI description, the reference and its script.
 *
 * @param style URL of the site's style sheet
 */
export async function referenceOutputs(exams: readonly CompiledExam[], style: string): Promise<Output[]> {
  const description = describeApi(exams);
  const script = await scriptAsset('docs/reference.js', 'reference');
  const page = layout({
    title: 'Pastpaper: API reference',
    description: texts.overview,
    styles: [style],
    script: script.url,
    place: '/docs/',
    main: referenceMain(description, exams),
  });
  return [
    publicPage('docs', page),
    publicFile(
      'docs/openapi.json',
      'application/json; charset=utf-8',
      Buffer.from(JSON.stringify(description)),
    ),
    script.output,
  ];
}

function referenceMain(description: Description, exams: readonly CompiledExam[]): Html {
  const example = examplePaper(exams);
  const samples = endpointSamples(exams);
  const endpoints = Object.entries(description.paths);
  return docsMain(
    contents('On this page', [
      ['#start', 'Quick start'],
      ['#try', 'Try it'],
      ['#endpoints', 'Endpoints', endpoints.map(([, { get }]) => [`#${get.operationId}`, get.summary])],
      ['#objects', 'Objects'],
      ['#shifts', 'Shift names'],
      ['#keys', 'Keys and limits'],
      ['#caching', 'Caching'],
      ['#checksums', 'Checksums'],
      ['#cors', 'CORS'],
      ['#errors', 'Errors'],
      ['#exams', 'Exams'],
      ['#client', 'Typed client'],
    ]),
    html`<h1>API reference</h1>
<p>${texts.overview}</p>
<p class="actions"><a class="button primary" href="/dashboard/">Get a key</a>
<a class="button" href="#try">Try it</a>
<a class="button" href="/docs/guides/">Guides</a>
<a class="button" href="/docs/openapi.json">OpenAPI description</a></p>
`,
    html`<h2 id="start">Quick start</h2>
<p>List the shifts of a year, without a key:</p>
${sample('curl', 'curl', `curl ${sampleOrigin}${example.yearPath}`)}<p>Get the questions of a subject, with a key. The samples on this page read the key from the environment:
<code>export API_KEY=pfx_...</code></p>
${sample('curl', 'curl', `curl -H "Authorization: Bearer $API_KEY" ${sampleOrigin}${example.path}`)}${originNote}
<h2 id="try">Try it</h2>
${tryIt(description, exams)}<h2 id="endpoints">Endpoints</h2>
<p>All requests use <code>GET</code>. Responses are JSON, except for diagrams.</p>
${endpoints.map(([path, item]) => endpointSection(description, path, item, samples))}<h2 id="objects">Objects</h2>
<p>Objects inside the response bodies.</p>
${nestedObjects()}<h2 id="shifts">Shift names</h2>
${paragraphs(texts.shiftNames)}<h2 id="keys">Keys and limits</h2>
${paragraphs(texts.keys)}${paragraphs(texts.limits)}${paragraphs(texts.retries)}<p>Guides:
<a href="/docs/guides/key/">Getting a key</a>, <a href="/docs/guides/limits/">Limits and retries</a>.</p>
<h2 id="caching">Caching</h2>
${paragraphs(texts.caching)}<p>Guide: <a href="/docs/guides/copy/">Keeping a mirror</a>.</p>
<h2 id="checksums">Checksums</h2>
${paragraphs(texts.checksums)}<p>Guide: <a href="/docs/guides/checksum/">Verifying a checksum</a>.</p>
<h2 id="cors">CORS</h2>
${paragraphs(texts.cors)}<h2 id="errors">Errors</h2>
${paragraphs(texts.errors)}${errorTable()}<h2 id="exams">Exams</h2>
${examTable(exams)}<h2 id="client">Typed client</h2>
<p><code>openapi-typescript</code> generates TypeScript types from the <a href="/docs/openapi.json">OpenAPI description</a>.
With <code>openapi-fetch</code>, a wrong path, parameter or field is a compile error:</p>
${sample('typescript', 'TypeScript', typedClientSample(example))}<p>Other client generators read the same description.</p>
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

/**
 * The form that sends a request, and its response. The page's script shows it, and loads years, shifts and subjects from
 * the API.
 */
function tryIt({ paths }: Description, exams: readonly CompiledExam[]): Html {
  const { exam, year, shift, subject } = examplePaper(exams);
  const endpoints = Object.entries(paths).filter(([path]) => path !== '/');
  return html`<noscript><p>To send requests from this page, enable JavaScript. The samples below send them from a terminal.</p></noscript>
<form class="card fields" id="try-form" hidden>
<div class="field wide">
<label for="try-endpoint">Endpoint</label>
<select id="try-endpoint">
${endpoints.map(
  ([path, { get }]) =>
    html`<option value="${path}"${get.security.length > 0 ? html` data-protected` : ''}>${get.summary}: ${path}</option>
`,
)}</select>
</div>
${choiceField(
  'exam',
  'Exam',
  exams.map(
    ({ resource }) =>
      html`<option value="${resource.exam}"${resource.exam === exam ? html` selected` : ''}>${resource.exam}: ${resource.label}</option>\n`,
  ),
)}${choiceField('year', 'Year', option(year))}${choiceField('shift', 'Shift', option(shift))}${choiceField(
  'file',
  'Subject file',
  option(`${subject}.json`),
)}<div class="field wide" data-field="filename">
<label for="try-filename">File name</label>
<input id="try-filename" list="try-filenames" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="try-filename-hint">
<datalist id="try-filenames"></datalist>
<p class="hint" id="try-filename-hint">From <code>diagrams[].file</code> of a question. To choose from a list, first send a
request for the questions of the shift.</p>
</div>
<div class="field wide" data-field="key">
<label for="try-key">API key</label>
<div class="joined">
<input id="try-key" class="secret" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="try-key-hint">
<button class="button" type="button" id="try-show-key" aria-pressed="false" aria-label="Show the key">Show</button>
</div>
<p class="hint" id="try-key-hint">The key is not stored. Each request counts towards your limits.
<a href="/dashboard/">Get a key</a></p>
</div>
<div class="wide actions">
<button class="button primary" type="submit">Send</button>
<code class="faint" id="try-request"></code>
</div>
</form>
<div class="response" id="try-response" tabindex="-1" role="group" aria-labelledby="try-status" hidden>
<p class="message" id="try-status" role="status"></p>
<table id="try-headers">
<caption>Response headers</caption>
<tbody></tbody>
</table>
<div id="try-body"></div>
</div>
`;
}

/** A list of choices, to which the page's script adds one to enter another value. */
function choiceField(name: string, label: string, options: Html | readonly Html[]): Html {
  return html`<div class="field" data-field="${name}">
<label for="try-${name}">${label}</label>
<select id="try-${name}">
${options}</select>
<input id="try-${name}-other" aria-label="${label}, custom value" autocomplete="off" autocapitalize="none" spellcheck="false" hidden>
</div>
`;
}

function option(value: string | number): Html {
  return html`<option value="${value}">${value}</option>\n`;
}
