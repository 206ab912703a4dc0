import { readFile } from 'node:fs/promises';
import type { CompiledExam } from '../../compile/exams.ts';
import type { Output } from '../../compile/response.ts';
import { assetAt, publicFile, publicPage } from '../assets.ts';
import { type Html, html } from '../html.ts';
import { layout } from '../layout.ts';
import { type CatalogueExam, catalogueOf, groupByName } from './catalogue.ts';
import { type Changes, changesPath, changesSince, type ReleasedBank } from './changes.ts';
import {
  bankCoverage,
  changesSection,
  examCoverage,
  examsSection,
  figures,
  questionsSection,
  shiftsSection,
  topicsSection,
} from './sections.ts';

const folder = 'docs/catalogue';
const url = `/${folder}/`;

/**
 * The catalogue: a page about all exams, one about each exam, and the changes as JSON.
 *
 * @param last the years of the last release; undefined if there is none
 * @param siteStyle URL of the style sheet that all pages share
 */
export async function catalogueOutputs(
  exams: readonly CompiledExam[],
  last: ReleasedBank | undefined,
  siteStyle: string,
): Promise<Output[]> {
  const css = await readFile(new URL('catalogue.css', import.meta.url));
  const style = assetAt(`${folder}/catalogue.css`, 'text/css; charset=utf-8', css);
  const styles = [siteStyle, style.url];
  const catalogue = catalogueOf(exams);
  const years = exams.flatMap((exam) => exam.years.map(({ resource }) => resource));
  const changes = changesSince(last, years);
  const overview = layout({
    title: 'Catalogue · Pastpaper',
    description: 'The contents of the question bank: exams, years, shifts, subjects and topics.',
    styles,
    place: url,
    main: overviewMain(catalogue, changes),
  });
  const examPages = catalogue.map((exam) => {
    const page = layout({
      title: `${exam.label} · Catalogue · Pastpaper`,
      description: `The contents of the question bank for ${exam.label}.`,
      styles,
      below: url,
      main: examMain(exam),
    });
    return publicPage(`${folder}/${exam.code}`, page);
  });
  const json = 'application/json; charset=utf-8';
  return [
    publicPage(folder, overview),
    ...examPages,
    ...(changes ? [publicFile(changesPath, json, Buffer.from(JSON.stringify(changes)))] : []),
    style.output,
  ];
}

/** The page about all exams. */
export function overviewMain(exams: readonly CatalogueExam[], changes: Changes | undefined): Html {
  const urlOf = (code: string) => `${url}${code}/`;
  return html`<main id="main" class="catalogue">
<div class="lead">
<h1>Catalogue</h1>
<p>The contents of the question bank: counts, dates and checksums are public. Questions require
<a href="/dashboard/">an API key</a>.</p>
</div>
${figures(exams)}
${examsSection(exams, urlOf)}
${bankCoverage(exams, urlOf)}
${questionsSection(groupByName(exams.flatMap((exam) => exam.subjects)))}
${changesSection(exams, changes, `/${changesPath}`)}
</main>`;
}

/** The page about one exam. */
export function examMain(exam: CatalogueExam): Html {
  return html`<main id="main" class="catalogue">
<div class="lead">
<p class="above"><a href="${url}">Catalogue</a></p>
<h1>${exam.label}</h1>
</div>
${figures([exam])}
${examCoverage(exam)}
${questionsSection(exam.subjects)}
${topicsSection(exam.subjects)}
${shiftsSection(exam)}
</main>`;
}
