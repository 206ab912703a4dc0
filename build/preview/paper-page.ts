import type { Diagnostic } from '../check/diagnostic.ts';
import type { DiagramFile, PaperPlace } from '../content/types.ts';
import { count } from '../report/wording.ts';
import { type Html, html } from '../site/html.ts';
import type { PageParts } from './document.ts';
import { paperUrl, questionId, type ReadPaper } from './paper.ts';
import { problemCount, problemList, problemsOf } from './problems.ts';
import { questionArticle } from './question.ts';

interface PaperView {
  readonly place: PaperPlace;
  readonly path: string;
  /** Label of the exam. */
  readonly label: string;
  /** The papers of the shift, this one among them. */
  readonly papers: readonly PaperPlace[];
  readonly paper: ReadPaper;
  readonly diagrams: ReadonlyMap<string, DiagramFile>;
  /** Names of diagrams that other papers of the shift use. */
  readonly elsewhere: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the paper has been compared with the rest of the bank. */
  readonly isCompared: boolean;
}

/** The page of a paper: each question as students see it, with its problems beside it. */
export function paperPage(view: PaperView): PageParts {
  const { place, path, label, paper, diagrams } = view;
  const questions = paper.questions.map((question, index) => ({
    question,
    lines: paper.source.valueRange(`/questions/${index}`),
    files: question.diagrams.map(({ file }) => file),
  }));
  const { ofFile, ofQuestions } = problemsOf(view.diagnostics, path, questions, view.elsewhere);
  return {
    title: `${place.subject} · ${label} ${place.shift} · Preview`,
    main: html`<main id="main">
<div class="lead">
<nav class="crumbs" aria-label="Breadcrumb"><ol><li><a href="/">Papers</a></li><li>${label}</li><li>${place.shift}</li></ol></nav>
<h1>${place.subject}</h1>
<p class="summary">${count(questions.length, 'question')}${
      paper.lastUpdated === '' ? '' : html` · last updated <time>${paper.lastUpdated}</time>`
    } · <code>${path}</code></p>
${shiftPapers(view)}
</div>
${overview(view, ofFile, ofQuestions)}
${questions.map(({ question, lines }, index) =>
  questionArticle({ index, question, lines, problems: ofQuestions[index] ?? [], diagrams, path }),
)}</main>`,
  };
}

/** Links to the papers of the shift. */
function shiftPapers({ place, papers }: PaperView): Html {
  if (papers.length < 2) return html``;
  return html`<nav class="shift-papers" aria-label="Papers of this shift"><ul>
${papers.map((paper) => html`<li><a href="${paperUrl(paper)}"${paper.subject === place.subject ? html` aria-current="page"` : ''}>${paper.subject}</a></li>\n`)}</ul></nav>`;
}

/** The problems of the file as a whole, and links to the questions that have others. */
function overview(
  { path, paper, isCompared }: PaperView,
  ofFile: readonly Diagnostic[],
  ofQuestions: readonly (readonly Diagnostic[])[],
): Html {
  const counts = problemCount([...ofFile, ...new Set(ofQuestions.flat())]);
  const severity = counts === '' ? 'good' : counts.includes('error') ? 'error' : 'warning';
  const links = ofQuestions.flatMap((problems, index) =>
    problems.length === 0 ? [] : [html`<li><a href="#${questionId(index)}">Question ${index + 1}</a></li>\n`],
  );
  return html`<section class="overview" aria-labelledby="overview">
<h2 class="${severity}" id="overview" data-part="state">${counts || 'No problems'}</h2>
${isCompared ? '' : html`<p class="hint" data-part="progress">It is still being compared with the other papers of the bank.</p>`}
${ofFile.length === 0 ? '' : problemList(ofFile, { path, pointer: '', open: true, columns: 100 })}
${paper.isJson || paper.questions.length === 0 ? '' : html`<p class="hint">The file is no valid JSON. Below stands what can be made of it.</p>`}
${links.length === 0 ? '' : html`<ul class="jumps">\n${links}</ul>`}
</section>`;
}
