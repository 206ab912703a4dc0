import type { Diagnostic, Summary } from '../check/diagnostic.ts';
import { type FoundContent, placeOf, type ShiftFolder } from '../content/find.ts';
import type { Exam } from '../content/types.ts';
import { count, summaryLine, visible } from '../report/wording.ts';
import { type Html, html } from '../site/html.ts';
import type { PageParts } from './document.ts';
import { paperUrl } from './paper.ts';
import { problemCount, problemList } from './problems.ts';

/** With so many papers, years without problems are folded. */
const manyPapers = 60;

interface IndexView {
  readonly title: string;
  readonly content: FoundContent;
  readonly exams: readonly Exam[];
  /** Numbers of questions by the paper's path; undefined for a shift that has not been checked yet. */
  readonly questions: (shift: ShiftFolder) => ReadonlyMap<string, number> | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether a file is listed. */
  readonly isListed: (path: string) => boolean;
  /** Of all content; undefined if only a part is listed. */
  readonly summary: Summary | undefined;
  /** Shifts that have been checked, while the first check runs. */
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  /** Files that are listed and no longer exist. */
  readonly removed: readonly string[];
}

interface PaperLink {
  readonly subject: string;
  readonly url: string;
  /** Undefined before the paper was checked; 0 if it does not match its schema. */
  readonly questions: number | undefined;
  readonly problems: readonly Diagnostic[];
}

interface ShiftLinks {
  readonly exam: string;
  readonly year: string;
  readonly shift: string;
  readonly papers: readonly PaperLink[];
}

const byName = new Intl.Collator('en', { numeric: true }).compare;

/** The page that links to the papers, in the order of the API, and shows the problems that no paper's page shows. */
export function indexPage(view: IndexView): PageParts {
  const { title, exams, diagnostics, isListed, removed, progress } = view;
  const shifts = shiftLinks(view);
  const papers = shifts.flatMap((shift) => shift.papers);
  const onPapers = new Set(papers.flatMap(({ problems }) => problems));
  const elsewhere = diagnostics.filter(
    (diagnostic) =>
      !onPapers.has(diagnostic) &&
      [diagnostic, ...(diagnostic.related ?? [])].some(({ file }) => isListed(file)),
  );
  return {
    title: `${title} · Preview`,
    main: html`<main id="main">
<div class="lead">
<h1>${title}</h1>
<p class="summary" data-part="${progress ? 'progress' : 'state'}">${state(view, papers, elsewhere)}</p>
</div>
${unique(shifts.map(({ exam }) => exam)).map((code) =>
  examSection(
    code,
    exams.find((exam) => exam.code === code)?.content?.label ?? code,
    shifts.filter(({ exam }) => exam === code),
    papers.length >= manyPapers,
  ),
)}
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

/** The listed papers by shift. */
function shiftLinks({ content, exams, questions, diagnostics, isListed }: IndexView): ShiftLinks[] {
  const problems = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    if (placeOf(diagnostic.file).kind !== 'paper') continue;
    const ofPaper = problems.get(diagnostic.file);
    if (ofPaper) ofPaper.push(diagnostic);
    else problems.set(diagnostic.file, [diagnostic]);
  }
  return content.shifts
    .map((folder) => {
      const subjects = exams.find(({ code }) => code === folder.exam)?.content?.subjects ?? [];
      const papers = bySubject(folder.papers, subjects).filter(({ path }) => isListed(path));
      const links = papers.map((paper) => ({
        subject: paper.subject,
        url: paperUrl(paper),
        questions: questions(folder)?.get(paper.path),
        problems: problems.get(paper.path) ?? [],
      }));
      return { exam: folder.exam, year: folder.year, shift: folder.shift, papers: links };
    })
    .filter(({ papers }) => papers.length > 0);
}

/** Sorts papers of a shift in the order of the exam's subjects; other subjects come last. */
export function bySubject<Paper extends { readonly subject: string }>(
  papers: readonly Paper[],
  subjects: readonly string[],
): Paper[] {
  const rank = ({ subject }: Paper) => {
    const index = subjects.indexOf(subject);
    return index < 0 ? subjects.length : index;
  };
  return [...papers].sort((a, b) => rank(a) - rank(b));
}

function state(
  { summary, progress }: IndexView,
  papers: readonly PaperLink[],
  elsewhere: readonly Diagnostic[],
): string {
  if (progress)
    return `${count(papers.length, 'paper')}. Checking them: ${progress.done} of ${progress.total} shifts are done.`;
  if (summary) return summaryLine(summary);
  const problems = problemCount([...papers.flatMap((paper) => paper.problems), ...elsewhere]);
  return `${count(papers.length, 'paper')}: ${problems || 'no problems'}.`;
}

function examSection(code: string, label: string, shifts: readonly ShiftLinks[], isLarge: boolean): Html {
  const id = `exam-${encodeURIComponent(code)}`;
  const years = unique(shifts.map(({ year }) => year)).sort((a, b) => byName(b, a));
  return html`<section class="exam" aria-labelledby="${id}">
<h2 id="${id}">${label}</h2>
${years.map((year) =>
  yearDetails(
    id,
    year,
    shifts.filter((shift) => shift.year === year).sort((a, b) => byName(a.shift, b.shift)),
    isLarge,
  ),
)}</section>
`;
}

function yearDetails(examId: string, year: string, shifts: readonly ShiftLinks[], isLarge: boolean): Html {
  const papers = shifts.flatMap((shift) => shift.papers);
  const problems = problemCount(papers.flatMap((paper) => paper.problems));
  const isOpen = !isLarge || problems !== '';
  return html`<details class="year" id="${examId}-${encodeURIComponent(year)}"${isOpen ? html` open` : ''}>
<summary><h3>${year}</h3> <span>${count(papers.length, 'paper')}</span>${badge(problems)}</summary>
<ul class="shifts">
${shifts.map(
  (shift) => html`<li><span class="shift">${shift.shift}</span>
<ul class="papers">
${shift.papers.map(paperItem)}</ul></li>
`,
)}</ul>
</details>
`;
}

function paperItem({ subject, url, questions, problems }: PaperLink): Html {
  const number = questions
    ? html`<span class="number">${questions}<span class="unseen"> ${questions === 1 ? 'question' : 'questions'}</span></span>`
    : '';
  return html`<li><a class="button" href="${url}"><span class="subject">${subject}</span> ${number}${badge(problemCount(problems))}</a></li>
`;
}

function badge(problems: string): Html {
  if (problems === '') return html``;
  return html` <span class="badge ${problems.includes('error') ? 'error' : 'warning'}">${problems}</span>`;
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
