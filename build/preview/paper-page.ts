import type { Diagnostic } from '../check/diagnostic.ts';
import { placeOf } from '../content/find.ts';
import type { Range } from '../content/positions.ts';
import type { DiagramFile, PaperPlace } from '../content/types.ts';
import { count } from '../report/wording.ts';
import { type Html, html } from '../site/html.ts';
import type { PageParts } from './document.ts';
import type { ReadPaper } from './paper.ts';
import { paperAddress, problemCount, problemList, questionId, questionIndex } from './problem.ts';
import { questionArticle } from './question.ts';

/** A paper, and what its page tells beside it. */
export interface PaperView {
  readonly place: PaperPlace;
  readonly path: string;
  /** What the exam is called. */
  readonly label: string;
  /** The papers of its shift, this one among them. */
  readonly papers: readonly PaperPlace[];
  readonly read: ReadPaper;
  readonly diagrams: ReadonlyMap<string, DiagramFile>;
  /** Names of diagrams that other papers of the shift use. */
  readonly elsewhere: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the paper was held against all others of the bank already. */
  readonly isCompared: boolean;
}

/** The page of a paper: every question as students see it, and every problem beside what it concerns. */
export function paperPage(view: PaperView): PageParts {
  const { place, path, label, read, diagrams } = view;
  const { questions } = read.paper;
  const places = questions.map((question, index) => ({
    question,
    lines: read.source.valueRange(`/questions/${index}`),
    files: question.diagrams.map(({ file }) => file),
  }));
  const { ofFile, ofQuestions } = problemsOf(view.diagnostics, path, places, view.elsewhere);
  return {
    title: `${place.subject} · ${label} ${place.shift} · Preview`,
    main: html`<main id="main">
<div class="lead">
<nav class="crumbs" aria-label="Breadcrumb"><ol><li><a href="/">Papers</a></li><li>${label}</li><li>${place.shift}</li></ol></nav>
<h1>${place.subject}</h1>
${summary(view)}
${shiftPapers(view)}
</div>
${overview(view, ofFile, ofQuestions)}
${places.map(({ question, lines }, index) =>
  questionArticle({ index, question, lines, problems: ofQuestions[index] ?? [], diagrams, path }),
)}</main>`,
  };
}

function summary({ path, read: { paper } }: PaperView): Html {
  return html`<p class="summary">${count(paper.questions.length, 'question')}${
    paper.lastUpdated === undefined ? '' : html` · last updated <time>${paper.lastUpdated}</time>`
  } · <code>${path}</code></p>`;
}

function shiftPapers({ place, papers }: PaperView): Html {
  if (papers.length < 2) return html``;
  return html`<nav class="shift-papers" aria-label="Papers of this shift"><ul>
${papers.map((paper) => html`<li><a href="${paperAddress(paper)}"${paper.subject === place.subject ? html` aria-current="page"` : ''}>${paper.subject}</a></li>\n`)}</ul></nav>`;
}

/** What is wrong with the file as a whole, and where to look for the rest. */
function overview(
  { path, read, isCompared }: PaperView,
  ofFile: readonly Diagnostic[],
  ofQuestions: readonly (readonly Diagnostic[])[],
): Html {
  const all = problemCount([...ofFile, ...new Set(ofQuestions.flat())]);
  const links = ofQuestions.flatMap((problems, index) =>
    problems.length === 0 ? [] : [html`<li><a href="#${questionId(index)}">Question ${index + 1}</a></li>\n`],
  );
  return html`<section class="overview" aria-labelledby="overview">
<h2 class="${classOf(all)}" id="overview" data-part="state">${all === '' ? 'No problems' : all}</h2>
${isCompared ? '' : html`<p class="hint" data-part="progress">It is still being compared with the other papers of the bank.</p>`}
${ofFile.length === 0 ? '' : problemList(ofFile, { path, pointer: '', open: true, columns: 100 })}
${read.isJson || read.paper.questions.length === 0 ? '' : html`<p class="hint">The file is no valid JSON. Below stands what can be made of it.</p>`}
${links.length === 0 ? '' : html`<ul class="jumps">\n${links}</ul>`}
</section>`;
}

function classOf(problems: string): string {
  if (problems === '') return 'fine';
  return problems.includes('error') ? 'wrong' : 'doubtful';
}

/** What of a question tells which problems are its own. */
export interface QuestionPlace {
  /** In the paper's file. */
  readonly lines: Pick<Range, 'line' | 'endLine'>;
  /** Names of its diagrams. */
  readonly files: readonly string[];
}

export interface PaperProblems {
  /** Those of the file as a whole, of its shift, or of no question that is known. */
  readonly ofFile: readonly Diagnostic[];
  /** By the question's place in the file, from 0. */
  readonly ofQuestions: readonly (readonly Diagnostic[])[];
}

/**
 * Finds which problems concern a paper, and to which of its questions they belong: by the JSON pointer, by the
 * diagram, or, where another file disagrees with this one, by the line.
 *
 * @param path of the paper's file
 * @param elsewhere names of diagrams that other papers of the shift use
 */
export function problemsOf(
  diagnostics: readonly Diagnostic[],
  path: string,
  questions: readonly QuestionPlace[],
  elsewhere: ReadonlySet<string>,
): PaperProblems {
  const ofFile: Diagnostic[] = [];
  const ofQuestions = questions.map((): Diagnostic[] => []);
  const shift = path.slice(0, path.lastIndexOf('/'));
  for (const diagnostic of diagnostics) {
    for (const question of questionsOf(diagnostic)) (ofQuestions[question] ?? ofFile).push(diagnostic);
  }
  return { ofFile, ofQuestions };

  /** Where a problem belongs; -1 is the file as a whole. */
  function questionsOf({ file, pointer, related = [] }: Diagnostic): number[] {
    if (file === path) return [questionIndex(pointer) ?? -1];
    if (file.startsWith(`${shift}/diagrams/`)) return questionsWith(file);
    const lines = related.filter((place) => place.file === path).map(({ line }) => line);
    return [...new Set(lines.map(questionAt))];
  }

  function questionsWith(file: string): number[] {
    const place = placeOf(file);
    const name = place.kind === 'diagram' ? place.file : '';
    const named = questions.flatMap(({ files }, index) => (files.includes(name) ? [index] : []));
    return named.length > 0 || elsewhere.has(name) ? named : [-1];
  }

  function questionAt(line: number): number {
    return questions.findIndex(({ lines }) => lines.line <= line && line <= lines.endLine);
  }
}
