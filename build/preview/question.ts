import type { Diagnostic } from '../check/diagnostic.ts';
import { placedDiagrams } from '../content/markdown.ts';
import type { Range } from '../content/positions.ts';
import type { LenientMarking, LenientPassage } from '../content/question.ts';
import type { DiagramFile, DiagramReference } from '../content/types.ts';
import { type Html, html } from '../site/html.ts';
import { fileUrl, questionId, type ShownOption, type ShownQuestion } from './paper.ts';
import { problemList } from './problems.ts';
import { type RenderDiagram, textHtml } from './text.ts';

interface QuestionView {
  /** In the file, from 0. */
  readonly index: number;
  readonly question: ShownQuestion;
  readonly lines: Range;
  readonly problems: readonly Diagnostic[];
  /** Its passage, and the marks of the paper. */
  readonly passage: LenientPassage | undefined;
  /** Whether the question before has another passage, or none. */
  readonly isPassageNew: boolean;
  readonly ofPaper: LenientMarking | undefined;
  /** The diagrams of the paper's shift, by file name. */
  readonly diagrams: ReadonlyMap<string, DiagramFile>;
  /** The paper's file. */
  readonly path: string;
  /** Of a translation. */
  readonly language: string | undefined;
}

const types: Readonly<Record<string, string>> = {
  mcq: 'Multiple choice',
  msq: 'Multiple select',
  numerical: 'Numerical',
};

/** A question as students see it, with the answer marked and its problems beside it. */
export function questionArticle({
  index,
  question,
  passage,
  isPassageNew,
  ofPaper,
  lines,
  problems,
  diagrams,
  path,
  language,
}: QuestionView): Html {
  const { type, answer, accepted } = question;
  const { number, section, topic, difficulty, answerRange, solution, marking = ofPaper } = question;
  const facts = [
    ...[section, number && `No. ${number}`, types[type] ?? type, topic, difficulty],
    marking ? marksText(marking) : '',
  ].filter((fact) => fact !== '');
  const id = questionId(index);
  const lang = language === undefined ? '' : html` lang="${language}"`;
  const placed = new Set(
    [question.question, solution, ...question.options.map(({ value }) => value)].flatMap(placedDiagrams),
  );
  const diagram: RenderDiagram = (file, isFigure) => {
    const { alt } = question.diagrams.find((one) => one.file === file) ?? { alt: '' };
    return isFigure ? figure({ file, alt }, diagrams.get(file)) : picture(file, alt, diagrams.get(file));
  };
  return html`<article class="question" id="${id}" aria-labelledby="${id}-title">
<div>
<header>
<h2 id="${id}-title"><span class="unseen">Question </span>${index + 1}</h2>
<ul class="facts">
${facts.map((fact) => html`<li class="badge">${fact}</li>\n`)}</ul>
<p class="source hint"><code>${question.id || 'no id'}</code> <span>line ${lines.line}</span></p>
</header>
${
  passage
    ? html`<details class="passage" id="${id}-passage"${isPassageNew ? html` open` : ''}><summary>Passage <code>${passage.id}</code></summary>
<div class="set"${lang}>${passageHtml(passage, diagrams)}</div></details>`
    : ''
}
${question.dropped ? html`<p class="missing">Withdrawn by the exam body: it is not scored.</p>` : ''}
${question.question === '' ? html`<p class="missing">It has no text.</p>` : html`<div class="stem set"${lang}>${textHtml(question.question, diagram)}</div>`}
${question.diagrams.filter(({ file }) => !placed.has(file)).map((one) => figure(one, diagrams.get(one.file)))}
${question.options.length === 0 ? '' : html`<ul class="options"${lang}>\n${question.options.map((option) => optionItem(option, diagram, diagrams))}</ul>`}
<dl class="answer">
<div><dt>Answer</dt><dd>${answer || 'none'}</dd></div>
${answerRange ? html`<div><dt>Range</dt><dd>${answerRange.min} to ${answerRange.max}</dd></div>` : ''}
${accepted.length === 0 ? '' : html`<div><dt>Accepted</dt><dd>${accepted.join(type === 'msq' ? ' or ' : ', ')}</dd></div>`}
</dl>
${
  solution === ''
    ? ''
    : html`<details class="solution" id="${id}-solution"><summary>Solution</summary>
<div class="set"${lang}>${textHtml(solution, diagram)}</div></details>`
}
</div>
${
  problems.length === 0
    ? ''
    : html`<div role="group" aria-label="Problems of question ${index + 1}">
${problemList(problems, { path, open: false, columns: 40 })}
</div>`
}
</article>
`;
}

/** `+4, −1 if wrong` */
function marksText({ correct = '', incorrect = '', unanswered = '', partial = '' }: LenientMarking): string {
  return [
    signed(correct),
    incorrect && `${signed(incorrect)} if wrong`,
    unanswered && `${signed(unanswered)} if unanswered`,
    partial && `${signed(partial)} for each right option`,
  ]
    .filter(Boolean)
    .join(', ');
}

function signed(marks: string): string {
  if (marks === '0' || marks === '') return marks;
  return marks.startsWith('-') ? marks.replace('-', '−') : `+${marks}`;
}

function passageHtml(
  { text, diagrams: named }: LenientPassage,
  diagrams: ReadonlyMap<string, DiagramFile>,
): Html {
  const placed = new Set(placedDiagrams(text));
  const render: RenderDiagram = (file, isFigure) => {
    const { alt } = named.find((one) => one.file === file) ?? { alt: '' };
    return isFigure ? figure({ file, alt }, diagrams.get(file)) : picture(file, alt, diagrams.get(file));
  };
  return html`${textHtml(text, render)}${named.filter(({ file }) => !placed.has(file)).map((one) => figure(one, diagrams.get(one.file)))}`;
}

function optionItem(
  { key, label, value, diagram: own, mark }: ShownOption,
  diagram: RenderDiagram,
  diagrams: ReadonlyMap<string, DiagramFile>,
): Html {
  return html`<li class="option${mark ? ` ${mark}` : ''}"><span class="key"><span>${key}</span>${label === '' ? '' : html` <span class="label">${label}</span>`}</span> <div class="value set">${textHtml(value, diagram)}${own ? figure(own, diagrams.get(own.file)) : ''}</div>${
    mark ? html` <strong class="mark">${mark === 'right' ? 'Right' : 'Accepted'}</strong>` : ''
  }</li>
`;
}

function figure({ file, alt = '' }: DiagramReference, found: DiagramFile | undefined): Html {
  return html`<figure>
${picture(file, alt, found)}
<figcaption class="hint"><span class="unseen">Diagram </span><code>${file}</code><span class="alt" aria-hidden="true">${alt}</span></figcaption>
</figure>`;
}

function picture(file: string, alt: string, found: DiagramFile | undefined): Html {
  if (!found) return html`<p class="missing">There is no diagram <code>${file}</code> in this shift.</p>`;
  const { image, path } = found;
  if ('fault' in image) return html`<p class="missing">This diagram cannot be shown.</p>`;
  // The version changes with the bytes, so that browsers do not show an old diagram.
  const url = `${fileUrl(path)}?v=${image.sha256.slice(0, 8)}`;
  return html`<img src="${url}" alt="${alt}" width="${image.width}" height="${image.height}">`;
}
