import { count, summaryLine } from '../../report/count.ts';
import type { Summary } from '../../report/diagnostic.ts';
import { visible } from '../../report/visible.ts';
import { type Html, html } from '../../site/html.ts';
import type { PageParts } from './document.ts';
import type { ExamView, IndexView, PaperLink, ShiftView, YearView } from './index-view.ts';
import { problemCount, problemList } from './problem.ts';

/** With so many papers, years are folded that have no problems. */
const manyPapers = 60;

export interface IndexPage extends IndexView {
  readonly title: string;
  /** Of all content; undefined where only a part is listed. */
  readonly summary: Summary | undefined;
  /** While not all shifts were checked: how many were. */
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  /** Files that are spoken of and not there any more. */
  readonly removed: readonly string[];
}

/** The page that leads to the papers. */
export function indexPage(page: IndexPage): PageParts {
  const { title, exams, elsewhere, removed } = page;
  const papers = exams.flatMap(({ years }) =>
    years.flatMap(({ shifts }) => shifts.flatMap((shift) => shift.papers)),
  );
  return {
    title: `${title} · Preview`,
    main: html`<main id="main">
<div class="lead">
<h1>${title}</h1>
<p class="summary" data-part="${page.progress ? 'progress' : 'state'}">${state(page, papers)}</p>
</div>
${exams.map((exam) => examSection(exam, papers.length >= manyPapers))}
${
  elsewhere.length === 0
    ? ''
    : html`<section class="elsewhere" aria-labelledby="elsewhere">
<h2 id="elsewhere">Problems elsewhere</h2>
${problemList(elsewhere, { path: undefined, pointer: '', open: elsewhere.length <= 3, columns: 100 })}
</section>`
}
${
  removed.length === 0
    ? ''
    : html`<section class="elsewhere" aria-labelledby="removed">
<h2 id="removed">Removed</h2>
<ul class="removed">${removed.map((path) => html`<li><code>${visible(path)}</code></li>`)}</ul>
</section>`
}
</main>`,
  };
}

function state({ summary, progress, elsewhere }: IndexPage, papers: readonly PaperLink[]): Html {
  if (progress)
    return html`${count(papers.length, 'paper')}. Checking them: ${progress.done} of ${progress.total} shifts are done.`;
  if (summary) return html`${summaryLine(summary)}`;
  const problems = problemCount([...papers.flatMap((paper) => paper.problems), ...elsewhere]);
  return html`${count(papers.length, 'paper')}: ${problems === '' ? 'no problems' : problems}.`;
}

function examSection({ code, label, years }: ExamView, isLarge: boolean): Html {
  const id = `exam-${encodeURIComponent(code)}`;
  return html`<section class="exam" aria-labelledby="${id}">
<h2 id="${id}">${label}</h2>
${years.map((year) => yearDetails(id, year, isLarge))}</section>
`;
}

function yearDetails(examId: string, { year, shifts }: YearView, isLarge: boolean): Html {
  const papers = shifts.flatMap((shift) => shift.papers);
  const problems = problemCount(papers.flatMap((paper) => paper.problems));
  const isOpen = !isLarge || problems !== '';
  return html`<details class="year" id="${examId}-${encodeURIComponent(year)}"${isOpen ? html` open` : ''}>
<summary><h3>${year}</h3> <span>${count(papers.length, 'paper')}</span>${badge(problems)}</summary>
<ul class="shifts">
${shifts.map(shiftItem)}</ul>
</details>
`;
}

function shiftItem({ shift, papers }: ShiftView): Html {
  return html`<li><span class="shift">${shift}</span>
<ul class="papers">
${papers.map(paperItem)}</ul></li>
`;
}

function paperItem({ subject, address, questions, problems }: PaperLink): Html {
  return html`<li><a href="${address}"><span class="subject">${subject}</span> ${questionCount(questions)}${badge(problemCount(problems))}</a></li>
`;
}

function questionCount(questions: number | undefined): Html {
  if (!questions) return html``;
  return html`<span class="number">${questions}<span class="unseen"> ${questions === 1 ? 'question' : 'questions'}</span></span>`;
}

function badge(problems: string): Html {
  if (problems === '') return html``;
  return html` <span class="badge ${problems.includes('error') ? 'error' : 'warning'}">${problems}</span>`;
}
