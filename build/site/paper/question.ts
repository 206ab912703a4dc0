import { placedDiagrams } from '../../content/markdown.ts';
import type { LenientDiagram, LenientMarking, LenientPassage } from '../../content/question.ts';
import { type Html, html } from '../html.ts';
import type { ShownOption, ShownQuestion } from './shown-paper.ts';
import { type RenderDiagram, textHtml } from './text.ts';

interface QuestionView {
  /** In the file, from 0. */
  readonly index: number;
  readonly question: ShownQuestion;
  /** Its passage, and the marks of the paper. */
  readonly passage: LenientPassage | undefined;
  /** Whether the question before has another passage, or none. */
  readonly isPassageNew: boolean;
  readonly ofPaper: LenientMarking | undefined;
  /** Of a translation. */
  readonly language: string | undefined;
  readonly diagram: ShowDiagram;
  /** Whether the answer and the solution are folded, and no option is marked. */
  readonly isAnswerFolded: boolean;
  /** What the header shows after the number, section, type and marks. */
  readonly facts: readonly string[];
  /** The end of the header, and what is beside the question. */
  readonly source?: Html;
  readonly aside?: Html;
}

/** Renders a diagram: as a figure, or as an image among words. */
export type ShowDiagram = (diagram: LenientDiagram, isFigure: boolean) => Html;

const types: Readonly<Record<string, string>> = {
  mcq: 'Multiple choice',
  msq: 'Multiple select',
  numerical: 'Numerical',
};

/** The id of a question's element on the page of its paper. @param index in the file, from 0 */
export function questionId(index: number): string {
  return `question-${index + 1}`;
}

/** A question as students see it, with its answer. */
export function questionArticle(view: QuestionView): Html {
  const { index, question, passage, isPassageNew, ofPaper, language, diagram, isAnswerFolded } = view;
  const { number, section, type, solution, options, marking = ofPaper } = question;
  const facts = [
    ...[section, number && `No. ${number}`, types[type] ?? type, ...view.facts],
    marking ? marksText(marking) : '',
  ].filter((fact) => fact !== '');
  const id = questionId(index);
  const lang = language === undefined ? '' : html` lang="${language}"`;
  const texts = [question.question, solution, ...options.map(({ value }) => value)];
  const { render, figures } = placedAndOthers(question.diagrams, texts, diagram);
  const answer = answerList(question);
  const solutionText = html`<div class="set"${lang}>${textHtml(solution, render)}</div>`;
  const folded = (title: string, content: Html) =>
    html`<details class="solution" id="${id}-solution"><summary>${title}<span class="unseen"> of question ${index + 1}</span></summary>
${content}</details>`;
  return html`<article class="question" id="${id}" aria-labelledby="${id}-title">
<div>
<header>
<h2 id="${id}-title"><span class="unseen">Question </span>${index + 1}</h2>
<ul class="facts">
${facts.map((fact) => html`<li class="badge">${fact}</li>\n`)}</ul>
${view.source ?? ''}
</header>
${
  passage
    ? html`<details class="passage" id="${id}-passage"${isPassageNew ? html` open` : ''}><summary>Passage <code>${passage.id}</code></summary>
<div class="set"${lang}>${passageHtml(passage, diagram)}</div></details>`
    : ''
}
${question.dropped ? html`<p class="missing">Withdrawn by the exam body: it is not scored.</p>` : ''}
${question.question === '' ? html`<p class="missing">This question has no text.</p>` : html`<div class="stem set"${lang}>${textHtml(question.question, render)}</div>`}
${figures}
${options.length === 0 ? '' : html`<ul class="options"${lang}>\n${options.map((option) => optionItem(isAnswerFolded ? { ...option, mark: undefined } : option, render, diagram))}</ul>`}
${
  isAnswerFolded
    ? folded(
        solution === '' ? 'Answer' : 'Answer and solution',
        solution === '' ? answer : html`${answer}\n${solutionText}`,
      )
    : html`${answer}\n${solution === '' ? '' : folded('Solution', solutionText)}`
}
</div>
${view.aside ?? ''}
</article>
`;
}

function answerList({ type, answer, answerRange, accepted }: ShownQuestion): Html {
  return html`<dl class="answer">
<div><dt>Answer</dt><dd>${answer || 'none'}</dd></div>
${answerRange ? html`<div><dt>Range</dt><dd>${answerRange.min} to ${answerRange.max}</dd></div>` : ''}
${accepted.length === 0 ? '' : html`<div><dt>Accepted</dt><dd>${accepted.join(type === 'msq' ? ' or ' : ', ')}</dd></div>`}
</dl>`;
}

/** `+4, −1 if wrong` */
function marksText({ correct = '', incorrect = '', unanswered = '', partial = '' }: LenientMarking): string {
  return [
    signed(correct),
    incorrect && `${signed(incorrect)} if wrong`,
    unanswered && `${signed(unanswered)} if unanswered`,
    partial && `${signed(partial)} for each correct option`,
  ]
    .filter(Boolean)
    .join(', ');
}

function signed(marks: string): string {
  if (marks === '0' || marks === '') return marks;
  return marks.startsWith('-') ? marks.replace('-', '−') : `+${marks}`;
}

function passageHtml({ text, diagrams }: LenientPassage, diagram: ShowDiagram): Html {
  const { render, figures } = placedAndOthers(diagrams, [text], diagram);
  return html`${textHtml(text, render)}${figures}`;
}

/** Renders the diagrams that texts place, and those that they do not. @param diagrams of a question or passage */
function placedAndOthers(
  diagrams: readonly LenientDiagram[],
  texts: readonly string[],
  diagram: ShowDiagram,
): { readonly render: RenderDiagram; readonly figures: readonly Html[] } {
  const placed = new Set(texts.flatMap(placedDiagrams));
  return {
    render: (file, isFigure) => diagram({ file, alt: diagrams.find((one) => one.file === file)?.alt ?? '' }, isFigure),
    figures: diagrams.filter(({ file }) => !placed.has(file)).map((one) => diagram(one, true)),
  };
}

function optionItem(
  { key, label, value, diagram: own, mark }: ShownOption,
  render: RenderDiagram,
  diagram: ShowDiagram,
): Html {
  return html`<li class="option${mark ? ` ${mark}` : ''}"><span class="key"><span>${key}</span>${label === '' ? '' : html` <span class="label">${label}</span>`}</span> <div class="value set">${textHtml(value, render)}${own ? diagram(own, true) : ''}</div>${
    mark ? html` <strong class="mark">${mark === 'right' ? 'Correct' : 'Accepted'}</strong>` : ''
  }</li>
`;
}
