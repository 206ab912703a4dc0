/** The landing page of the site, and the page for addresses without a page. */
import type { CompiledExam } from '../compile/exams.ts';
import type { Output } from '../compile/response.ts';
import { missingPage, pageFolders } from '../release/urls.ts';
import { count } from '../report/wording.ts';
import { publicPage } from './assets.ts';
import { catalogueOf, questionsIn, shiftsOf } from './catalogue/catalogue.ts';
import { figures, urlOf, yearsOf } from './catalogue/pages.ts';
import { codeBlock, originNote } from './code.ts';
import { examplePaper, inventedQuestionFile } from './example.ts';
import { html } from './html.ts';
import { keyUrl, layout, linkHeadings, type Site } from './layout.ts';
import { markdown } from './markdown.ts';
import type { ShownQuestion } from './paper/sample-pages.ts';
import { fill, filledPage, readTemplate } from './template.ts';
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
  const text = markdown(readTemplate('landing.md', import.meta.url), {
    ...example,
    originNote: originNote(example),
    exams: html`<ul class="columns links">\n${examLinks}</ul>\n`,
    shiftCount: shifts.length > 1 && count(shifts.length, 'shift'),
    yearResponse: jsonBlock({ ...year, shifts: shifts.slice(0, 1) }),
    questionCount: file.total > 1 && count(file.total, 'question'),
    paperResponse: jsonBlock({ ...file, questions: file.questions.slice(0, 1) }),
    question: shown?.question,
    samplePath: `${samplesUrl}${shown?.path}/`,
  });
  const main = fill(readTemplate('landing.html', import.meta.url), {
    name: bank.name,
    tagline: bank.tagline,
    keyUrl: keyUrl(bank),
    limits: planLimits(bank.plans),
    figures: figures(catalogue),
    text: linkHeadings(text),
  });
  return publicPage(
    'docs',
    layout(site, { description: bank.tagline, place: '/docs/', style: shown?.style, main }),
  );
}

/** Makes the page that browsers get for an unknown address below `/docs/` and `/dashboard/`. */
export function missingPageOutputs(site: Site): Output[] {
  const page = layout(site, filledPage('not-found.html', import.meta.url, {}));
  return pageFolders.map((folder) =>
    publicPage(`${folder}/${missingPage}`, page, `${folder}/${missingPage}`),
  );
}
