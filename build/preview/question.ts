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
  readonly ofPaper: LenientMarking | undefined;
  /** The diagrams of the paper's shift, by file name. */
  readonly diagrams: ReadonlyMap<string, DiagramFile>;
  /** The paper's file. */
  readonly path: string;
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
  ofPaper,
  lines,
  problems,
  diagrams,
  path,
}: QuestionView): Html {
  const { type, answer, accepted } = question;
  const { number, section, topic, difficulty, answerRange, solution, marking = ofPaper } = question;
  const facts = [section, number && `No. ${number}`, types[type] ?? type, topic, difficulty].filter(
    (fact) => fact !== '',
  );
  const id = questionId(index);
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
${passage ? html`<section class="passage hint" aria-label="Passage">${passageHtml(passage, diagrams)}</section>` : ''}
${question.dropped ? html`<p class="missing">Withdrawn by the exam body: it is not scored.</p>` : ''}
${question.question === '' ? html`<p class="missing">It has no text.</p>` : html`<div class="stem">${textHtml(question.question, diagram)}</div>`}
${question.diagrams.filter(({ file }) => !placed.has(file)).map((one) => figure(one, diagrams.get(one.file)))}
${question.options.length === 0 ? '' : html`<ul class="options">\n${question.options.map((option) => optionItem(option, diagram, diagrams))}</ul>`}
<dl class="answer">
<div><dt>Answer</dt><dd>${answer || 'none'}</dd></div>
${answerRange ? html`<div><dt>Range</dt><dd>${answerRange.min} to ${answerRange.max}</dd></div>` : ''}
${
  marking
    ? html`<div><dt>Marks</dt><dd>${Object.entries(marking)
        .map(([name, marks]) => `${name} ${marks}`)
        .join(', ')}</dd></div>`
    : ''
}
${accepted.length === 0 ? '' : html`<div><dt>Accepted</dt><dd>${accepted.join(type === 'msq' ? ' or ' : ', ')}</dd></div>`}
</dl>
${solution === '' ? '' : html`<div class="solution"><h3>Solution</h3>${textHtml(solution, diagram)}</div>`}
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
  return html`<li class="option${mark ? ` ${mark}` : ''}"><span class="key">${key}</span> ${label === '' ? '' : html`<span class="hint">${label}</span> `}<div class="value">${textHtml(value, diagram)}${own ? figure(own, diagrams.get(own.file)) : ''}</div>${
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
