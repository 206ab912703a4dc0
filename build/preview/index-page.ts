import type { Diagnostic, Summary } from '../check/diagnostic.ts';
import { type FoundContent, placeOf, type ShiftFolder } from '../content/find.ts';
import type { Exam } from '../content/types.ts';
import { count, summaryLine, visible } from '../report/wording.ts';
import { type Html, html } from '../site/html.ts';
import type { PageParts } from './document.ts';
import { paperAddress, problemCount, problemList } from './problem.ts';

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

export interface ExamView {
  readonly code: string;
  readonly label: string;
  /** The newest first. */
  readonly years: readonly YearView[];
}

export interface YearView {
  readonly year: string;
  readonly shifts: readonly ShiftView[];
}

export interface ShiftView {
  readonly shift: string;
  readonly papers: readonly PaperLink[];
}

export interface PaperLink {
  readonly subject: string;
  readonly address: string;
  /** Undefined while it was not read yet; 0 when it is not of its schema's form. */
  readonly questions: number | undefined;
  readonly problems: readonly Diagnostic[];
}

/** What the index lists: papers by exam, year and shift, and the problems that are on no paper's page. */
export interface IndexView {
  readonly exams: readonly ExamView[];
  readonly elsewhere: readonly Diagnostic[];
}

export interface IndexSource {
  readonly content: FoundContent;
  readonly exams: readonly Exam[];
  /** Of the papers of a shift that were examined, by their paths. */
  readonly questions: (shift: ShiftFolder) => ReadonlyMap<string, number> | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether a file is spoken of. */
  readonly concerns: (path: string) => boolean;
}

const byName = new Intl.Collator('en', { numeric: true }).compare;

/** Puts the papers in the order in which the API tells of them. */
export function indexView(source: IndexSource): IndexView {
  const { content, diagnostics, concerns } = source;
  const shifts = content.shifts.flatMap((folder) => {
    const papers = folder.papers.filter(({ path }) => concerns(path));
    return papers.length > 0 ? [{ ...folder, papers }] : [];
  });
  const codes = [...new Set(shifts.map(({ exam }) => exam))];
  const problems = problemsByPaper(diagnostics);
  const onPages = new Set(
    shifts.flatMap(({ papers }) => papers.flatMap(({ path }) => problems.get(path) ?? [])),
  );
  return {
    exams: codes.map((code) =>
      examView(
        code,
        shifts.filter(({ exam }) => exam === code),
        source,
        problems,
      ),
    ),
    elsewhere: diagnostics.filter(
      (diagnostic) =>
        !onPages.has(diagnostic) &&
        [diagnostic, ...(diagnostic.related ?? [])].some(({ file }) => concerns(file)),
    ),
  };
}

function examView(
  code: string,
  shifts: readonly ShiftFolder[],
  source: IndexSource,
  problems: ReadonlyMap<string, readonly Diagnostic[]>,
): ExamView {
  const content = source.exams.find((exam) => exam.code === code)?.content;
  const subjects = content?.subjects ?? [];
  const years = [...new Set(shifts.map(({ year }) => year))].sort((a, b) => byName(b, a));
  const paperLinks = (folder: ShiftFolder) =>
    bySubject(folder.papers, subjects).map((paper) => ({
      subject: paper.subject,
      address: paperAddress(paper),
      questions: source.questions(folder)?.get(paper.path),
      problems: problems.get(paper.path) ?? [],
    }));
  return {
    code,
    label: content?.label ?? code,
    years: years.map((year) => ({
      year,
      shifts: shifts
        .filter((folder) => folder.year === year)
        .sort((a, b) => byName(a.shift, b.shift))
        .map((folder) => ({ shift: folder.shift, papers: paperLinks(folder) })),
    })),
  };
}

/** By the path of the paper on whose page they stand. */
function problemsByPaper(diagnostics: readonly Diagnostic[]): Map<string, Diagnostic[]> {
  const problems = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    if (placeOf(diagnostic.file).kind !== 'paper') continue;
    const ofPaper = problems.get(diagnostic.file) ?? [];
    problems.set(diagnostic.file, ofPaper);
    ofPaper.push(diagnostic);
  }
  return problems;
}

/** Papers of a shift in the order in which their exam names the subjects; those that it does not name come last. */
export function bySubject<Paper extends { readonly subject: string }>(
  papers: readonly Paper[],
  subjects: readonly string[],
): Paper[] {
  return [...papers].sort((a, b) => rank(a.subject, subjects) - rank(b.subject, subjects));
}

function rank(subject: string, subjects: readonly string[]): number {
  const at = subjects.indexOf(subject);
  return at < 0 ? subjects.length : at;
}
