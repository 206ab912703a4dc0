import { placedDiagrams } from '../../content/markdown.ts';
import type { LenientDiagram, LenientMarking, LenientPassage } from '../../content/question.ts';
import { Html, html } from '../html.ts';
import { titleOf } from '../text.ts';
import type { ShownOption, ShownPaper, ShownQuestion } from './shown-paper.ts';
import { type RenderDiagram, textHtml } from './text.ts';

interface QuestionView {
  /** In the file, from 0. */
  readonly index: number;
  /** The language of a translation. */
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
  text: 'Short text',
};

/** The id of a question's element on the page of its paper. @param index in the file, from 0 */
export function questionId(index: number): string {
  return `question-${index + 1}`;
}

/** A question of a paper as students see it, with its answer. */
export function questionArticle(
  paper: ShownPaper,
  question: ShownQuestion,
  view: QuestionView,
): Html {
  const { index, diagram, isAnswerFolded } = view;
  const { number, section, type, solution, options, marking = paper.marking } = question;
  const passage = paper.passages.find(({ id }) => id !== '' && id === question.passage);
  const facts = [
    section,
    number && `No. ${number}`,
    types[type] ?? type,
    ...view.facts,
    marksText(marking),
  ];
  const texts = [question.question, solution, ...options.map(({ value }) => value)];
  const { render, figures } = placedAndOthers(question.diagrams, texts, diagram);
  const folded = [isAnswerFolded ? 'answer' : '', solution === '' ? '' : 'solution'].filter(
    (name) => name !== '',
  );
  const foldedTitle = html`${titleOf(folded.join(' and '))}<span class="unseen"> of question ${index + 1}</span>`;
  const id = questionId(index);
  const isPassageNew = question.passage !== paper.questions[index - 1]?.passage;
  const language = question.lang || view.language;
  const lang = html`${language && html` lang="${language}"`} dir="auto"`;
  const stem =
    question.question === ''
      ? html`<p class="missing">This question has no text.</p>`
      : html`<div class="stem set"${lang}>${textHtml(question.question, render)}</div>`;
  return html`<article class="question" id="${id}" aria-labelledby="${id}-title">
<div>
<header>
<h2 id="${id}-title"><span class="unseen">Question </span>${index + 1}</h2>
<ul class="facts">
${facts.filter(Boolean).map((fact) => html`<li class="badge">${fact}</li>\n`)}</ul>
${view.source ?? ''}
</header>
${
  passage &&
  html`<details class="passage" id="${id}-passage"${isPassageNew && html` open`}><summary>Passage <code>${passage.id}</code></summary>
<div class="set"${lang}>${passageHtml(passage, diagram)}</div></details>`
}
${question.dropped && html`<p class="missing">Withdrawn by the exam body: it is not scored.</p>`}
${stem}
${figures}
${
  options.length > 0 &&
  html`<ul class="options"${lang}>
${options.map(optionItem)}</ul>`
}
${!isAnswerFolded && answerList(question)}
${
  folded.length > 0 &&
  html`<details class="solution" id="${id}-solution"><summary>${foldedTitle}</summary>
${isAnswerFolded && answerList(question)}
${solution !== '' && html`<div class="set"${lang}>${textHtml(solution, render)}</div>`}
</details>`
}
</div>
${view.aside ?? ''}
</article>`;

  function optionItem({ key, label, value, diagram: own, mark }: ShownOption): Html {
    const shownMark = isAnswerFolded ? undefined : mark;
    const shownValue = html`${textHtml(value, render, true)}${own && diagram(own, true)}`;
    const name = html`<span>${key}</span>${label !== '' && html` <span class="label">${label}</span>`}`;
    const className = shownMark === undefined ? 'option' : `option ${shownMark}`;
    return html`<li class="${className}"><span class="key">${name}</span> <div class="value set">${shownValue}</div>
${shownMark && html`<strong class="mark">${mark === 'right' ? 'Correct' : 'Accepted'}</strong>`}
</li>`;
  }
}

function answerList({ type, answer, answerRange, tolerance, accepted }: ShownQuestion): Html {
  const ofTolerance = tolerance !== '' && `± ${tolerance}`;
  const range = answerRange ? `${answerRange.min} to ${answerRange.max}` : ofTolerance;
  const separator = type === 'msq' || type === 'text' ? ' or ' : ', ';
  return html`<dl class="answer">
<div><dt>Answer</dt><dd>${answer || 'none'}</dd></div>
${range && html`<div><dt>Range</dt><dd>${range}</dd></div>`}
${accepted.length > 0 && html`<div><dt>Accepted</dt><dd>${accepted.join(separator)}</dd></div>`}
</dl>`;
}

/** `+4, −1 if wrong` */
function marksText(marking: LenientMarking | undefined): string {
  const { correct = '', incorrect = '', unanswered = '', partial = '' } = marking ?? {};
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

function passageHtml({ text, diagrams, lineNumbers }: LenientPassage, diagram: ShowDiagram): Html {
  const { render, figures } = placedAndOthers(diagrams, [text], diagram);
  const shown = textHtml(text, render);
  return html`${lineNumbers ? numbered(shown) : shown}${figures}`;
}

/** A text with the number of every fifth line, as exams print them. */
function numbered({ text }: Html): Html {
  let line = 0;
  const lines = text.replace(/^(?!<p>)|<p>|<br>\n/g, (start) => {
    line += 1;
    return line % 5 === 0 ? `${start}<span class="line-number">${line}</span> ` : start;
  });
  return new Html(lines);
}

/** Renders the diagrams that texts place, and those that they do not. @param diagrams of a question or passage */
function placedAndOthers(
  diagrams: readonly LenientDiagram[],
  texts: readonly string[],
  diagram: ShowDiagram,
): { readonly render: RenderDiagram; readonly figures: readonly Html[] } {
  const placed = new Set(texts.flatMap(placedDiagrams));
  return {
    render: (file, isFigure) =>
      diagram({ file, alt: diagrams.find((one) => one.file === file)?.alt ?? '' }, isFigure),
    figures: diagrams.filter(({ file }) => !placed.has(file)).map((one) => diagram(one, true)),
  };
}
