import type { CompiledExam } from '../../compile/compile.ts';
import { exampleOf, examplePath } from '../example.ts';
import { gettingAKey } from '../guides/getting-a-key.ts';
import { addressOf, type Guide, guidesAddress } from '../guides/guide.ts';
import { keepingACopy } from '../guides/keeping-a-copy.ts';
import { limitsAndRetrying } from '../guides/limits-and-retrying.ts';
import { verifyingAChecksum } from '../guides/verifying-a-checksum.ts';
import { type Html, html } from '../html.ts';
import { layout } from '../layout.ts';
import type { Description } from '../openapi/openapi.ts';
import * as prose from '../openapi/prose.ts';
import { sampleOrigin as origin } from '../sample-origin.ts';
import { errorTable } from './answers.ts';
import { endpointSection } from './endpoint.ts';
import { fieldTable, innerObjects, objectId } from './fields.ts';
import { inline, paragraphs } from './prose.ts';
import { sampleRequests } from './samples/requests.ts';
import type { SampleRequest } from './samples/sample.ts';
import { originNote, sample } from './samples/sample-code.ts';
import { typedClientSample } from './samples/typed-client.ts';
import { tryIt } from './try-it.ts';

/** The addresses of what the page loads. */
export interface ReferenceAssets {
  readonly styles: readonly string[];
  readonly script: string;
}

const places = [
  ['start', 'In two requests'],
  ['try', 'Try it'],
  ['endpoints', 'Endpoints'],
  ['objects', 'Objects'],
  ['shifts', 'Naming a shift'],
  ['keys', 'Keys and limits'],
  ['caching', 'Caching'],
  ['checksums', 'Checksums'],
  ['origins', 'Scripts of other origins'],
  ['errors', 'Errors'],
  ['exams', 'Exams'],
  ['client', 'Typed client'],
] as const;

/** The API reference at `/docs/`: what the description says, for people. It reads without its script. */
export function referencePage(
  description: Description,
  exams: readonly CompiledExam[],
  { styles, script }: ReferenceAssets,
): string {
  const example = exampleOf(exams);
  const requests = sampleRequests(exams);
  return layout({
    title: 'Pastpaper: API reference',
    description: prose.overview,
    styles,
    script,
    place: '/docs/',
    main: html`<main id="main" class="reference">
<nav class="contents" aria-label="On this page">
<ul>
${places.map(([id, name]) => html`<li><a href="#${id}">${name}</a>${id === 'endpoints' ? endpointLinks(description) : ''}</li>\n`)}</ul>
</nav>
<div class="text">
<div class="lead">
<h1>API reference</h1>
<p>${prose.overview}</p>
<p class="actions"><a class="button primary" href="/dashboard/">Get a key</a>
<a class="button" href="#try">Try it</a>
<a class="button" href="${guidesAddress}">Guides</a>
<a class="button" href="/docs/openapi.json">OpenAPI description</a></p>
</div>
${section(
  'start',
  html`<p>The shifts of a year, without a key:</p>
${sample('curl', 'curl', `curl ${origin}/${example.year}`)}<p>The questions of a subject, with one. The samples of this page take it from the environment:
<code class="whole">export API_KEY=pfx_...</code></p>
${sample('curl', 'curl', `curl -H "Authorization: Bearer $API_KEY" ${origin}${examplePath(example)}`)}${originNote}`,
)}
${tryIt(description, exams)}
${section(
  'endpoints',
  html`<p>Everything is <code>GET</code> and answers in JSON, diagrams aside.</p>
${Object.entries(description.paths).map(([path, item]) =>
  endpointSection(description, path, item, requestOf(requests, item.get.operationId)),
)}`,
)}
${section(
  'objects',
  html`<p>What stands inside the answers.</p>
${innerObjects(description).map(
  ([name, schema]) => html`<section class="object" aria-labelledby="${objectId(name)}">
<h3 id="${objectId(name)}">${schema.title ?? name}</h3>
<p>${inline(schema.description ?? '')}</p>
${fieldTable(description, 'Fields', schema)}</section>
`,
)}`,
)}
${section('shifts', html`${paragraphs(prose.shiftNames)}`)}
${section('keys', html`${paragraphs(prose.keys)}${paragraphs(prose.limits)}${guideLinks(gettingAKey, limitsAndRetrying)}`)}
${section('caching', html`${paragraphs(prose.caching)}${guideLinks(keepingACopy)}`)}
${section('checksums', html`${paragraphs(prose.checksums)}${guideLinks(verifyingAChecksum)}`)}
${section('origins', html`${paragraphs(prose.crossOrigin)}`)}
${section('errors', html`${paragraphs(prose.errors)}${errorTable()}`)}
${section('exams', examTable(exams))}
${section(
  'client',
  html`<p><code>openapi-typescript</code> makes TypeScript types from the <a href="/docs/openapi.json">description</a>. With
<code>openapi-fetch</code> a wrong path, parameter or field does not compile:</p>
${sample('typescript', 'TypeScript', typedClientSample(example))}<p>Any other generator of clients takes the description itself.</p>`,
)}
</div>
<p class="unseen" id="status" role="status"></p>
</main>`,
  });
}

function section(id: (typeof places)[number][0], content: Html): Html {
  const name = places.find(([place]) => place === id)?.[1] ?? '';
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${name}</h2>
${content}</section>`;
}

function endpointLinks({ paths }: Description): Html {
  return html`
<ul>
${Object.values(paths).map(({ get }) => html`<li><a href="#${get.operationId}">${get.summary}</a></li>\n`)}</ul>`;
}

/** Leads on to guides that tell more. */
function guideLinks(...guides: readonly Guide[]): Html {
  return html`<p>Step by step, with code: ${guides.map(
    (guide, index) => html`${index > 0 ? ', ' : ''}<a href="${addressOf(guide)}">${guide.title}</a>`,
  )}.</p>
`;
}

function requestOf(requests: Readonly<Record<string, SampleRequest>>, operation: string): SampleRequest {
  const request = requests[operation];
  if (!request) throw new Error(`There is no sample of ${operation}.`);
  return request;
}

function examTable(exams: readonly CompiledExam[]): Html {
  return html`<table>
<thead><tr><th scope="col">Exam</th><th scope="col">Code</th><th scope="col">Years</th></tr></thead>
<tbody>
${exams.map(
  ({
    resource: { exam, label, years },
  }) => html`<tr><td>${label}</td><td><code>${exam}</code></td><td>${years.map(
    (year, index) => html`${index > 0 ? ', ' : ''}<a href="/${exam}/${year}">${year}</a>`,
  )}</td></tr>
`,
)}</tbody>
</table>`;
}
