import type { Diagnostic } from '../check/diagnostic.ts';
import type { ShiftFolder } from '../content/file.ts';
import { subjectLabels } from '../content/types.ts';
import type { ExamFile } from '../content/written.ts';
import { count, summaryLine } from '../report/wording.ts';
import { type Html, html, section } from '../site/html.ts';
import type { LiveBank } from './bank.ts';
import type { PageParts } from './document.ts';
import { bySubject, mayName, paperUrl, textAt } from './paper.ts';
import { problemCount, problemList, toneOf } from './problems.ts';

const byName = new Intl.Collator('en', { numeric: true }).compare;

/** The page that links to the papers, in the order of the API, and shows the problems that no paper's page shows. */
export function indexPage(bank: LiveBank): PageParts {
  const { content, exams, report, ref, changed } = bank;
  const title = ref === undefined ? 'All papers' : `Changed since ${ref}`;
  const listed = changed && new Set([...changed, ...papersWith(bank, changed)]);
  const isListed = (path: string) => listed?.has(path) ?? true;
  const shifts = content.shifts
    .map((shift) => ({ ...shift, papers: shift.papers.filter(({ path }) => isListed(path)) }))
    .filter(({ papers }) => papers.length > 0)
    .sort((a, b) => byName(b.year, a.year) || byName(a.shift, b.shift));
  const papers = new Set(shifts.flatMap((shift) => shift.papers.map(({ path }) => path)));
  const problems = new Map<string, Diagnostic[]>(Array.from(papers, (path) => [path, []]));
  const elsewhere: Diagnostic[] = [];
  for (const diagnostic of report?.diagnostics ?? []) {
    const { file, related = [] } = diagnostic;
    const ofPaper = problems.get(file);
    if (ofPaper) ofPaper.push(diagnostic);
    else if ([diagnostic, ...related].some((place) => isListed(place.file)))
      elsewhere.push(diagnostic);
  }
  const sections = Array.from(new Set(shifts.map(({ exam }) => exam)), examSection);
  if (elsewhere.length > 0) {
    const list = problemList(elsewhere, { open: elsewhere.length <= 3, columns: 100 });
    sections.push(section('elsewhere', 'Problems in other files', list));
  }
  const main = html`<div class="lead">
<h1>${title}</h1>
<p>${state()}</p>
<p class="actions"><a class="button" href="/-/edit/new">New paper</a></p>
</div>
${sections}`;
  return { title, main };

  function state(): string {
    if (!report) return '';
    if (!changed) return summaryLine(report.summary);
    return `${count(papers.size, 'paper')}: ${problemCount([...[...problems.values()].flat(), ...elsewhere]) || 'no problems'}.`;
  }

  function examSection(code: string): Html {
    const content = exams.find((exam) => exam.code === code)?.content;
    const ofExam = shifts.filter(({ exam }) => exam === code);
    const years = new Set(ofExam.map(({ year }) => year));
    const details = Array.from(years, (year) => yearDetails(year, ofExam, content));
    return section(`exam-${encodeURIComponent(code)}`, content?.label ?? code, html`${details}`);
  }

  function yearDetails(
    year: string,
    ofExam: readonly ShiftFolder[],
    exam: ExamFile | undefined,
  ): Html {
    const ofYear = ofExam.filter((shift) => shift.year === year);
    const labels = exam && subjectLabels(exam);
    const places = ofYear.flatMap((shift) => shift.papers);
    const badge = problemBadge(places.flatMap(({ path }) => problems.get(path) ?? []));
    const items = ofYear.map(({ shift, papers }) => {
      const links = bySubject(papers, exam).map((place) =>
        paperItem(place, labels?.get(place.subject)),
      );
      return html`<li class="actions"><span class="faint">${shift}</span>
<ul class="papers">
${links}</ul></li>\n`;
    });
    return html`<details class="year" open>
<summary><h3>${year}</h3> <span>${count(places.length, 'paper')}</span>${badge}</summary>
<ul class="shifts">
${items}</ul>
</details>\n`;
  }

  function paperItem(place: ShiftFolder['papers'][number], label: string = place.subject): Html {
    const { questions } = bank.facts.get(place.path) ?? {};
    // 0 if it does not match its schema.
    const number = questions
      ? html`<span class="faint">${questions}<span class="unseen"> ${questions === 1 ? 'question' : 'questions'}</span></span>`
      : '';
    const badge = problemBadge(problems.get(place.path) ?? []);
    const subject = html`<span class="subject">${label}</span>`;
    return html`<li><a class="button" href="${paperUrl(place)}">${subject} ${number}${badge}</a></li>
`;
  }
}

function problemBadge(problems: readonly Diagnostic[]): Html {
  if (problems.length === 0) return html``;
  return html` <span class="badge ${toneOf(problems)}">${problemCount(problems)}</span>`;
}

/** The papers whose questions have one of these diagrams. */
function papersWith({ content, contentDir }: LiveBank, paths: ReadonlySet<string>): string[] {
  return content.shifts.flatMap(({ papers, diagrams }) => {
    const changed = diagrams.filter(({ path }) => paths.has(path));
    if (changed.length === 0) return [];
    return papers
      .map(({ path }) => path)
      .filter((path) => {
        const text = textAt(contentDir, path);
        return changed.some(({ file }) => mayName(text, file));
      });
  });
}
