/** The landing page of the site, and the page for addresses without a page. */
import type { CompiledExam } from '../compile/exams.ts';
import type { Output } from '../compile/response.ts';
import { missingPage, pageFolders } from '../release/urls.ts';
import { count } from '../report/wording.ts';
import { publicPage } from './assets.ts';
import { catalogueOf, questionsIn, shiftsOf } from './catalogue/catalogue.ts';
import { figures, urlOf, yearsOf } from './catalogue/pages.ts';
import { codeBlock, originNote, sample } from './code.ts';
import { examplePaper, inventedQuestionFile } from './example.ts';
import { threeLines } from './guides/programs.ts';
import { html } from './html.ts';
import { keyUrl, layout, linkHeadings, type Site } from './layout.ts';
import type { ShownQuestion } from './paper/sample-pages.ts';
import { planLimits, samplesUrl } from './text.ts';

/**
 * Makes the page at `/docs/`: what is in the bank, the first two requests with their responses, and where to go next.
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
  const years = exams.flatMap((exam) => exam.years.map(({ resource }) => resource));
  const { shifts = [], ...year } =
    years.find((each) => `/${each.exam}/${each.year}` === example.yearPath) ?? {};
  const file = shown?.file ?? inventedQuestionFile(example);
  const catalogue = catalogueOf(exams);
  const jsonBlock = (value: unknown) => codeBlock(JSON.stringify(value, undefined, 2), 'json');
  const examLinks = catalogue.map((exam) => {
    const ofExam = shiftsOf([exam]);
    const size = `${count(ofExam.length, 'shift')}, ${count(questionsIn(ofExam), 'question')}`;
    return html`<li><a href="${urlOf(exam)}">${exam.label}</a><p>${yearsOf([exam])}: ${size}</p></li>\n`;
  });
  const ofYear = shifts.length > 1 && `, with the first of ${count(shifts.length, 'shift')}`;
  const ofFile = file.total > 1 && `, with one of ${count(file.total, 'question')}`;
  const nextPages = [
    [
      '/docs/reference/',
      'Reference',
      'Every endpoint, field, header and error, with a form to send requests.',
    ],
    [
      '/docs/guides/',
      'Guides',
      'Keys, limits, formulas and diagrams, scoring, checksums and mirrors, with programs to copy.',
    ],
    ['/docs/catalogue/', 'Catalogue', 'The exams, years, shifts, subjects and topics in the bank.'],
    shown && [samplesUrl, 'Sample papers', 'Papers to read without a key.'],
    ['/docs/openapi.json', 'OpenAPI description', 'For API clients and code generators.'],
  ] as const;
  const text = html`<h2 id="exams">Exams</h2>
<ul class="columns links">
${examLinks}</ul>
<h2 id="start">Twenty questions in three lines</h2>
<p><a href="${keyUrl(bank)}">Get a key</a>, set <code>API_KEY</code> to it, and save <a href="/docs/client.mjs"><code>client.mjs</code></a>
or <a href="/docs/pastpaper.py"><code>pastpaper.py</code></a>. The program prints a page with questions to answer.</p>
${threeLines(exams, example)}
<h2 id="requests">Two requests</h2>
${originNote(example)}<div class="columns pair">
<div>
<h3>List the shifts of a year</h3>
<p>Exams, years, shifts and checksums are public.</p>
${sample('curl', `curl ${example.origin}${example.yearPath}`)}</div>
<figure>
<figcaption class="language">Response${ofYear}</figcaption>
${jsonBlock({ ...year, shifts: shifts.slice(0, 1) })}</figure>
<div>
<h3>Get the questions of a paper</h3>
<p>Questions and diagrams require an API key.${!shown && ' The questions in this response are invented.'}</p>
${sample('curl', `curl -H "Authorization: Bearer $API_KEY" \\\n  ${example.origin}${example.path}`)}<figure>
<figcaption class="language">Response${ofFile}</figcaption>
${jsonBlock({ ...file, questions: file.questions.slice(0, 1) })}</figure>
</div>
${
  shown &&
  html`<div>
<h3>What a student sees</h3>
<p>The same question, with the answer folded. <a href="${samplesUrl}${shown.path}/">Read the whole paper</a></p>
${shown.question}
</div>`
}
</div>
<h2 id="next">Documentation</h2>
<ul class="columns links">
${nextPages.map((page) => page && html`<li><a href="${page[0]}">${page[1]}</a><p>${page[2]}</p></li>\n`)}</ul>

`;
  const main = html`<main id="main" class="docs landing">
<div class="lead">
<h1>${bank.name}</h1>
<p>${bank.tagline}</p>
<p class="actions"><a class="button primary" href="${keyUrl(bank)}">Get a key</a>
<a class="button" href="/docs/reference/">API reference</a>
<span class="hint">${planLimits(bank.plans)}</span></p>
</div>
${figures(catalogue)}
${linkHeadings(text)}<p class="unseen" id="status" role="status"></p>
</main>
`;
  return publicPage(
    'docs',
    layout(site, { description: bank.tagline, place: '/docs/', style: shown?.style, main }),
  );
}

/** Makes the page that browsers get for an unknown address below `/docs/` and `/dashboard/`. */
export function missingPageOutputs(site: Site): Output[] {
  const [title, description] = ['Page not found', 'There is no page at this address.'];
  const main = html`<main id="main" class="docs landing">
<div class="lead">
<h1>${title}</h1>
<p>${description}</p>
<p class="actions"><a class="button primary" href="/docs/">Documentation</a>
<a class="button" href="/dashboard/">Dashboard</a></p>
</div>
</main>
`;
  const page = layout(site, { title, description, main });
  return pageFolders.map((folder) =>
    publicPage(`${folder}/${missingPage}`, page, `${folder}/${missingPage}`),
  );
}
