/** The landing page of the site, and the page for addresses without a page. */
import type { CompiledExam } from '../compile/exams.ts';
import type { Output } from '../compile/response.ts';
import { missingPage, pageFolders } from '../release/urls.ts';
import { count } from '../report/wording.ts';
import { catalogueOf, questionsIn, shiftsOf } from './catalogue/catalogue.ts';
import { figures, urlOf, yearsOf } from './catalogue/pages.ts';
import { codeBlock, originNote } from './code.ts';
import { examplePaper, inventedQuestionFile } from './example.ts';
import { threeLines } from './guides/programs.ts';
import { type Html, html } from './html.ts';
import { keyUrl, linkHeadings, type Site, sitePage } from './layout.ts';
import type { ShownQuestion } from './paper/sample-pages.ts';
import { planLimits, samplesUrl } from './text.ts';

/**
 * Makes the page at `/docs/`: a question of the bank with its JSON, the lines that fetch and show such questions, the exams,
 * and where to go next.
 *
 * @param shown a question that anyone can read
 */
export function landingOutput(
  site: Site,
  exams: readonly CompiledExam[],
  shown: ShownQuestion | undefined,
): Output {
  const { bank } = site;
  const example = examplePaper(exams, bank.publicUrl, shown?.path);
  const [question] = (shown?.file ?? inventedQuestionFile(example)).questions;
  const catalogue = catalogueOf(exams);
  const examCards = catalogue.map((exam) => {
    const ofExam = shiftsOf([exam]);
    const size = `${count(ofExam.length, 'shift')}, ${count(questionsIn(ofExam), 'question')}`;
    return [urlOf(exam), exam.label, `${yearsOf([exam])}: ${size}`] as const;
  });
  const text = html`<div class="demo">
${
  shown &&
  html`<section class="card" aria-label="A question to answer">
${shown.question}
<p class="hint"><a href="${samplesUrl}${shown.path}/">Read the whole paper</a></p>
</section>`
}
<figure>
<figcaption class="hint language">The question in <code>${example.path}</code>${!shown && ' (invented)'}</figcaption>
${codeBlock(JSON.stringify(question, undefined, 2), 'json')}</figure>
</div>
<h2 id="start">Fetch, pick and show</h2>
<p><a href="${keyUrl(bank)}">Get a key</a>, set <code>API_KEY</code> to it, and save <a href="/docs/client.mjs"><code>client.mjs</code></a>
or <a href="/docs/pastpaper.py"><code>pastpaper.py</code></a>. The program prints a page of 20 questions to answer.</p>
${originNote(example)}${threeLines(exams, example, true)}
<h2 id="exams">Exams</h2>
${cards(examCards)}
<h2 id="next">Documentation</h2>
${cards([
  ['/docs/guides/', 'Guides', 'Keys, limits, formulas, scores and mirrors, with programs to copy.'],
  [
    '/docs/reference/',
    'Reference',
    'Every endpoint, field and error, with a form to send requests.',
  ],
  ['/docs/catalogue/', 'Catalogue', 'Exams, years, shifts, subjects and topics.'],
  ...(shown ? [[samplesUrl, 'Sample papers', 'Papers to read, answer and print.'] as const] : []),
  ['/docs/openapi.json', 'OpenAPI description', 'For API clients and code generators.'],
])}`;
  const main = html`<main id="main" class="landing">
<div class="lead hero">
<h1>${bank.tagline}</h1>
<p class="actions"><a class="button primary" href="${keyUrl(bank)}">Get a key</a>
<a class="button" href="/docs/reference/">API reference</a>
<span class="hint">${planLimits(bank.plans)}</span></p>
${figures(catalogue)}</div>
${linkHeadings(text)}<p class="unseen" id="status" role="status"></p>
</main>
`;
  const page = { description: bank.tagline, place: '/docs/', main };
  return sitePage(site, 'docs', { ...page, style: shown?.style, script: shown?.script });
}

/** Links, each with a sentence. */
function cards(links: readonly (readonly [url: string, name: string, text: string])[]): Html {
  const items = links.map(([url, name, text]) => {
    return html`<li><a href="${url}"><bdi>${name}</bdi></a><p class="hint">${text}</p></li>\n`;
  });
  return html`<ul class="cards">\n${items}</ul>\n`;
}

/** Makes the page that browsers get for an unknown address below `/docs/` and `/dashboard/`. */
export function missingPageOutputs(site: Site): Output[] {
  const [title, description] = ['Page not found', 'There is no page at this address.'];
  const main = html`<main id="main">
<div class="lead hero">
<h1>${title}</h1>
<p>${description} Search for what you need, or start from one of these pages.</p>
</div>
${cards([
  ['/docs/', 'Start', 'What the bank contains, and a first request.'],
  ['/docs/reference/', 'Reference', 'Every endpoint, field and error.'],
  ['/docs/catalogue/', 'Catalogue', 'Exams, years, shifts, subjects and topics.'],
  ['/dashboard/', 'Dashboard', 'Your keys and their usage.'],
])}</main>
`;
  return pageFolders.map((folder) => {
    const path = `${folder}/${missingPage}`;
    return sitePage(site, path, { title, description, main }, path);
  });
}
