/** The landing page of the site, and the page for addresses without a page. */
import type { CompiledExam } from '../compile/exams.ts';
import type { Output } from '../compile/response.ts';
import { missingPage, pageFolders } from '../release/urls.ts';
import { publicPage } from './assets.ts';
import { originNote } from './code.ts';
import { examplePaper } from './example.ts';
import { html } from './html.ts';
import { keyUrl, layout, linkHeadings, type Site } from './layout.ts';
import { fill, markdown, readPage, readTemplate } from './template.ts';
import { planLimits } from './text.ts';

/** Makes the page at `/docs/`: what the bank is, the first two requests, and where to go next. */
export function landingOutput(site: Site, exams: readonly CompiledExam[]): Output {
  const { bank } = site;
  const example = examplePaper(exams, bank.publicUrl);
  const text = markdown(readTemplate('landing.md', import.meta.url), {
    ...example,
    originNote: originNote(example),
    hasSamples: bank.samples.length > 0,
  });
  const main = html`<main id="main" class="docs landing">
<div class="lead">
<h1>${bank.name}</h1>
<p>${bank.tagline}</p>
<p class="actions"><a class="button primary" href="${keyUrl(bank)}">Get a key</a>
<a class="button" href="/docs/reference/">API reference</a>
<span class="hint">${planLimits(bank.plans)}</span></p>
</div>
${linkHeadings(text)}<p class="unseen" id="status" role="status"></p>
</main>`;
  return publicPage('docs', layout(site, { description: bank.tagline, place: '/docs/', main }));
}

/** Makes the page that browsers get for an unknown address below `/docs/` and `/dashboard/`. */
export function missingPageOutputs(site: Site): Output[] {
  const { title, description, template } = readPage('not-found.html', import.meta.url);
  const page = layout(site, { title, description, main: fill(template, {}) });
  return pageFolders.map((folder) => publicPage(`${folder}/${missingPage}`, page, `${folder}/${missingPage}`));
}
