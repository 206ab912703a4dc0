import type { CompiledExam } from '../../compile/exams.ts';
import { jsonType, type Output } from '../../compile/response.ts';
import { publicFile, publicPage, styleAsset } from '../assets.ts';
import { type Html, html, section } from '../html.ts';
import { layout } from '../layout.ts';
import { numberOf } from '../text.ts';
import { type CatalogueExam, catalogueOf, groupByName, questionsIn, shiftsOf } from './catalogue.ts';
import { type Changes, changesPath, changesSince, type ReleasedBank } from './changes.ts';
import { numberTable } from './charts.ts';
import {
  bankCoverage,
  changesSection,
  examCoverage,
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
  const style = await styleAsset(`${folder}/catalogue.css`, new URL('catalogue.css', import.meta.url));
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
  return [
    publicPage(folder, overview),
    ...examPages,
    ...(changes ? [publicFile(changesPath, jsonType, Buffer.from(JSON.stringify(changes)))] : []),
    style.output,
  ];
}

/** The page about all exams. */
export function overviewMain(exams: readonly CatalogueExam[], changes: Changes | undefined): Html {
  const urlOf = (code: string) => `${url}${code}/`;
  return html`<main id="main">
<div class="lead">
<h1>Catalogue</h1>
<p>The contents of the question bank: counts, dates and checksums are public. Questions require
<a href="/dashboard/">an API key</a>.</p>
</div>
${figures(exams)}
${section('exams', 'Exams', html`${examTable(exams, urlOf)}\n`)}${bankCoverage(exams, urlOf)}${questionsSection(
  groupByName(exams.flatMap((exam) => exam.subjects)),
)}${changesSection(exams, changes, `/${changesPath}`)}</main>`;
}

/** The page about one exam. */
export function examMain(exam: CatalogueExam): Html {
  return html`<main id="main">
<div class="lead">
<p class="crumbs"><a href="${url}">Catalogue</a></p>
<h1>${exam.label}</h1>
</div>
${figures([exam])}
${examCoverage(exam)}${questionsSection(exam.subjects)}${topicsSection(exam.subjects)}${shiftsSection(exam)}</main>`;
}

/** The main numbers of the bank or of one exam. */
function figures(exams: readonly CatalogueExam[]): Html {
  const shifts = shiftsOf(exams);
  const rows = [
    ...(exams.length > 1 ? [['Exams', numberOf(exams.length)]] : []),
    ['Years', yearsOf(exams)],
    ['Shifts', numberOf(shifts.length)],
    ['Questions', numberOf(questionsIn(shifts))],
    ['Last updated', lastUpdateOf(exams)],
  ];
  return html`<dl class="figures">
${rows.map(([name = '', value = '']) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

function examTable(exams: readonly CatalogueExam[], urlOf: (code: string) => string): Html {
  return numberTable(
    'Exams, table',
    ['Exam', 'Code', 'Years', 'Shifts', 'Questions', 'Last updated'],
    exams.map((exam) => {
      const shifts = shiftsOf([exam]);
      return [
        html`<a href="${urlOf(exam.code)}">${exam.label}</a>`,
        html`<code>${exam.code}</code>`,
        yearsOf([exam]),
        shifts.length,
        questionsIn(shifts),
        lastUpdateOf([exam]),
      ];
    }),
  );
}

/** First and last year: `2023–2025`. */
function yearsOf(exams: readonly CatalogueExam[]): string {
  const years = exams.flatMap((exam) => exam.years.map(({ year }) => year));
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return first === last ? String(first) : `${first}–${last}`;
}

/** The date of the last update, `YYYY-MM-DD`. */
function lastUpdateOf(exams: readonly CatalogueExam[]): string {
  return shiftsOf(exams).reduce((last, { lastUpdated }) => (lastUpdated > last ? lastUpdated : last), '');
}
