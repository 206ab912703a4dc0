import { type Html, html } from '../html.ts';
import type { CatalogueExam } from './catalogue.ts';
import { examCoverage } from './coverage-section.ts';
import { figures } from './figures.ts';
import { papersSection } from './papers-section.ts';
import { questionsSection, topicsSection } from './questions-section.ts';

/** What the bank holds of one exam. */
export function examMain(exam: CatalogueExam): Html {
  return html`<main id="main" class="catalogue">
<div class="lead">
<p class="above"><a href="/docs/catalogue/">Catalogue</a></p>
<h1>${exam.label}</h1>
</div>
${figures([exam])}
${examCoverage(exam)}
${questionsSection(exam.subjects)}
${topicsSection(exam.subjects)}
${papersSection(exam)}
</main>`;
}
