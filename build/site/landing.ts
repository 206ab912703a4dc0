/** The landing page of the site, and the page for addresses without a page. */
import type { CompiledExam } from '../compile/exams.ts';
import type { Output } from '../compile/response.ts';
import type { Bank } from '../release/bank.ts';
import { missingPage, pageFolders } from '../release/urls.ts';
import { publicPage } from './assets.ts';
import { originNote, sample } from './code.ts';
import { examplePaper } from './example.ts';
import { type Html, html } from './html.ts';
import { keyUrl, layout, linkHeadings, type Site } from './layout.ts';
import { planLimits, samplesUrl } from './text.ts';

/** Makes the page at `/docs/`: what the bank is, the first two requests, and where to go next. */
export function landingOutput(site: Site, exams: readonly CompiledExam[]): Output {
  const page = layout(site, { description: site.bank.tagline, place: '/docs/', main: landingMain(site.bank, exams) });
  return publicPage('docs', page);
}

/** Makes the page that browsers get for an unknown address below `/docs/` and `/dashboard/`. */
export function missingPageOutputs(site: Site): Output[] {
  const page = layout(site, {
    title: 'Page not found',
    description: 'There is no page at this address.',
    main: html`<main id="main" class="docs landing">
<div class="lead">
<h1>Page not found</h1>
<p>There is no page at this address.</p>
<p class="actions"><a class="button primary" href="/docs/">Documentation</a>
<a class="button" href="/dashboard/">Dashboard</a></p>
</div>
</main>`,
  });
  return pageFolders.map((folder) => publicPage(`${folder}/${missingPage}`, page, `${folder}/${missingPage}`));
}

const links = [
  ['/docs/reference/', 'Reference', 'Every endpoint, field, header and error, with a form to send requests.'],
  [
    '/docs/guides/',
    'Guides',
    'Keys, limits, formulas and diagrams, scoring, checksums and mirrors, with programs to copy.',
  ],
  ['/docs/catalogue/', 'Catalogue', 'The exams, years, shifts, subjects and topics in the bank.'],
  [samplesUrl, 'Sample papers', 'Papers to read without a key.'],
  ['/docs/openapi.json', 'OpenAPI description', 'For API clients and code generators.'],
] as const;

function landingMain(bank: Bank, exams: readonly CompiledExam[]): Html {
  const example = examplePaper(exams, bank.publicUrl);
  const shown = links.filter(([url]) => url !== samplesUrl || bank.samples.length > 0);
  return html`<main id="main" class="docs landing">
<div class="lead">
<h1>${bank.name}</h1>
<p>${bank.tagline}</p>
<p class="actions"><a class="button primary" href="${keyUrl(bank)}">Get a key</a>
<a class="button" href="/docs/reference/">API reference</a>
<span class="hint">${planLimits(bank.plans)}</span></p>
</div>
${linkHeadings(html`<h2 id="requests">Two requests</h2>
${originNote(example)}<div class="columns">
<div>
<h3>List the shifts of a year</h3>
<p>Exams, years, shifts and checksums are public.</p>
${sample('curl', `curl ${example.origin}${example.yearPath}`)}</div>
<div>
<h3>Get the questions of a paper</h3>
<p>Questions and diagrams require an API key.</p>
${sample('curl', `curl -H "Authorization: Bearer $API_KEY" \\\n  ${example.origin}${example.path}`)}</div>
</div>
<h2 id="next">Documentation</h2>
<ul class="columns links">
${shown.map(([url, name, text]) => html`<li><a href="${url}">${name}</a><p>${text}</p></li>\n`)}</ul>
`)}<p class="unseen" id="status" role="status"></p>
</main>`;
}
