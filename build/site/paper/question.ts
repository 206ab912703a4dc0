import { placedDiagrams } from '../../content/markdown.ts';
import type {
  Marking,
  QuestionFile,
  ServedDiagram,
  ServedOption,
  ServedPassage,
  ServedQuestion,
} from '../../release/resources.ts';
import { Html, html, type Part } from '../html.ts';
import { titleOf } from '../text.ts';
import { type RenderDiagram, textHtml } from './text.ts';

/** What the preview adds to a question: the end of its header, and what is beside it. */
export interface QuestionBeside {
  readonly source?: Html;
  readonly aside?: Html;
}

interface QuestionView extends QuestionBeside {
  /** In the file, from 0. */
  readonly index: number;
  readonly diagram: ShowDiagram;
  /** Whether the answer and the solution are folded, and no option is marked. */
  readonly isAnswerFolded: boolean;
  /** What the header shows after the number, section, type and marks. */
  readonly facts: readonly string[];
}

/** Renders a diagram: as a figure, or as an image among words. */
export type ShowDiagram = (diagram: ServedDiagram, isFigure: boolean) => Html;

const types: Readonly<Record<ServedQuestion['type'], string>> = {
  mcq: 'Multiple choice',
  msq: 'Multiple select',
  numerical: 'Numerical',
  text: 'Short text',
};

/** The id of a question's element on the page of its paper. @param index in the file, from 0 */
export function questionId(index: number): string {
  return `question-${index + 1}`;
}

/** The element of a question, with its number and facts, around its content. */
export function questionFrame(
  {
    index,
    facts,
    source,
    aside,
  }: QuestionBeside & { readonly index: number; readonly facts: readonly Part[] },
  content: Html,
): Html {
  const id = questionId(index);
  return html`<article class="question" id="${id}" aria-labelledby="${id}-title">
<div>
<header>
<h2 id="${id}-title"><span class="unseen">Question </span>${index + 1}</h2>
<ul class="facts">
${facts.filter(Boolean).map((fact) => html`<li class="badge">${fact}</li>\n`)}</ul>
${source ?? ''}
</header>
${content}
</div>
${aside ?? ''}
</article>`;
}

/** A question of a paper as students see it, with its answer. */
export function questionArticle(
  paper: QuestionFile,
  question: ServedQuestion,
  view: QuestionView,
): Html {
  const { index, diagram, isAnswerFolded } = view;
  const { number, section, type, solution = '', options, marking } = question;
  const passage = paper.passages?.find(({ id }) => id === question.passage);
  const facts = [
    section,
    number && `No. ${number}`,
    types[type],
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
  const before = paper.questions[paper.questions.indexOf(question) - 1];
  const isPassageNew = question.passage !== before?.passage;
  const language = question.lang ?? paper.language;
  const lang = html`${language && html` lang="${language}"`} dir="auto"`;
  const content = html`${
    passage &&
    html`<details class="passage" id="${id}-passage"${isPassageNew && html` open`}><summary>Passage <code>${passage.id}</code></summary>
<div class="set"${lang}>${passageHtml(passage, diagram)}</div></details>`
  }
${question.dropped && html`<p class="missing">Withdrawn by the exam body: it is not scored.</p>`}
<div class="stem set"${lang}>${textHtml(question.question, render)}</div>
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
}`;
  return questionFrame({ ...view, facts }, content);

  function optionItem({ key, label, value, diagram: own }: ServedOption): Html {
    const mark = isAnswerFolded ? undefined : markOf(key, question);
    const shownValue = html`${textHtml(value, render, true)}${own && diagram(own, true)}`;
    const name = html`<span>${key}</span>${label && html` <span class="label">${label}</span>`}`;
    const className = mark === undefined ? 'option' : `option ${mark}`;
    return html`<li class="${className}"><span class="key">${name}</span> <div class="value set">${shownValue}</div>
${mark && html`<strong class="mark">${mark === 'right' ? 'Correct' : 'Accepted'}</strong>`}
</li>`;
  }
}

/** Whether an option is right, or is accepted beside the right one. */
function markOf(key: string, { type, answer, accepted = [] }: ServedQuestion) {
  if (answer.split(',').includes(key)) return 'right';
  return type === 'mcq' && accepted.includes(key) ? 'accepted' : undefined;
}

function answerList({ type, answer, answerRange, tolerance, accepted = [] }: ServedQuestion): Html {
  const ofTolerance = tolerance && `± ${tolerance}`;
  const range = answerRange ? `${answerRange.min} to ${answerRange.max}` : ofTolerance;
  const separator = type === 'msq' || type === 'text' ? ' or ' : ', ';
  return html`<dl class="answer">
<div><dt>Answer</dt><dd>${answer || 'none'}</dd></div>
${range && html`<div><dt>Range</dt><dd>${range}</dd></div>`}
${accepted.length > 0 && html`<div><dt>Accepted</dt><dd>${accepted.join(separator)}</dd></div>`}
</dl>`;
}

/** `+4, −1 if wrong` */
function marksText(marking: Marking | undefined): string {
  const { correct, incorrect, unanswered, partial } = marking ?? {};
  return [
    [correct, ''],
    [incorrect, ' if wrong'],
    [unanswered, ' if unanswered'],
    [partial, ' for each correct option'],
  ]
    .flatMap(([marks, when]) => (typeof marks === 'number' ? `${signed(marks)}${when}` : []))
    .join(', ');
}

function signed(marks: number): string {
  if (marks === 0) return '0';
  return marks < 0 ? `−${-marks}` : `+${marks}`;
}

/** The text of a passage, and its diagrams. */
export function passageHtml(
  { text, diagrams, lineNumbers }: ServedPassage,
  diagram: ShowDiagram,
): Html {
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
  diagrams: readonly ServedDiagram[],
  texts: readonly string[],
  diagram: ShowDiagram,
): { readonly render: RenderDiagram; readonly figures: readonly Html[] } {
  const placed = new Set(texts.flatMap(placedDiagrams));
  return {
    render: (file, isFigure) => {
      const found = diagrams.find((one) => one.file === file);
      return found ? diagram(found, isFigure) : html`<code>${file}</code>`;
    },
    figures: diagrams.filter(({ file }) => !placed.has(file)).map((one) => diagram(one, true)),
  };
}
