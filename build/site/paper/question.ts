import { placedDiagrams } from '../../content/markdown.ts';
import type { LenientDiagram, LenientMarking, LenientPassage } from '../../content/question.ts';
import { Html, html } from '../html.ts';
import { readParts, type Values } from '../template.ts';
import { titleOf } from '../text.ts';
import type { ShownOption, ShownPaper, ShownQuestion } from './shown-paper.ts';
import { type RenderDiagram, textHtml } from './text.ts';

const part = readParts('question.html', import.meta.url);

interface QuestionView {
  /** In the file, from 0. */
  readonly index: number;
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
  const lang = question.lang || view.language;
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
  return part('question', {
    id: questionId(index),
    position: index + 1,
    facts: facts
      .filter((fact) => fact !== '')
      .map((fact) => html`<li class="badge">${fact}</li>\n`),
    source: view.source,
    aside: view.aside,
    passage: passage && passageHtml(passage, diagram),
    passageId: passage?.id,
    isPassageNew: question.passage !== paper.questions[index - 1]?.passage,
    lang: html`${lang ? html` lang="${lang}"` : ''} dir="auto"`,
    isDropped: question.dropped,
    stem: question.question && textHtml(question.question, render),
    figures,
    options: options.length > 0 && options.map((option) => part('option', optionValues(option))),
    isAnswerFolded,
    answer: part('answer', answerValues(question)),
    folded: titleOf(folded.join(' and ')),
    solution: solution && textHtml(solution, render),
  });

  function optionValues({ key, label, value, diagram: own, mark }: ShownOption): Values {
    return {
      key,
      label,
      value: html`${textHtml(value, render, true)}${own ? diagram(own, true) : ''}`,
      mark: isAnswerFolded ? undefined : mark,
      markText: mark === 'right' ? 'Correct' : 'Accepted',
    };
  }
}

function answerValues({ type, answer, answerRange, tolerance, accepted }: ShownQuestion): Values {
  return {
    answer: answer || 'none',
    range: answerRange ? `${answerRange.min} to ${answerRange.max}` : tolerance && `± ${tolerance}`,
    accepted: accepted.join(type === 'msq' || type === 'text' ? ' or ' : ', '),
  };
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
