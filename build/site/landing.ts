/** The landing page of the site, and the page for addresses without a page. */
import type { CompiledExam } from '../compile/exams.ts';
import type { Output } from '../compile/response.ts';
import { missingPage, pageFolders } from '../release/urls.ts';
import { publicPage } from './assets.ts';
import { originNote } from './code.ts';
import { examplePaper } from './example.ts';
import { keyUrl, layout, linkHeadings, type Site } from './layout.ts';
import { fill, filledPage, markdown, readTemplate } from './template.ts';
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
  const main = fill(readTemplate('landing.html', import.meta.url), {
    name: bank.name,
    tagline: bank.tagline,
    keyUrl: keyUrl(bank),
    limits: planLimits(bank.plans),
    text: linkHeadings(text),
  });
  return publicPage('docs', layout(site, { description: bank.tagline, place: '/docs/', main }));
}

/** Makes the page that browsers get for an unknown address below `/docs/` and `/dashboard/`. */
export function missingPageOutputs(site: Site): Output[] {
  const page = layout(site, filledPage('not-found.html', import.meta.url, {}));
  return pageFolders.map((folder) => publicPage(`${folder}/${missingPage}`, page, `${folder}/${missingPage}`));
}
