import katex from 'katex';
import { LRUCache } from 'lru-cache';
import type { Diagnostic } from '../check/diagnostic.ts';
import { type Formula, formulasOf } from '../content/formulas.ts';
import type { Range } from '../content/positions.ts';
import type { DiagramFile } from '../content/types.ts';
import { formulaFault } from '../rules/katex.ts';
import { Html, html } from '../site/html.ts';
import type { ShownDiagram, ShownOption, ShownQuestion } from './paper.ts';
import { diagramAddress, problemList, questionId } from './problem.ts';

/** A question, and what is told beside it. */
export interface QuestionView {
  /** Place in the file, from 0. */
  readonly index: number;
  readonly question: ShownQuestion;
  readonly lines: Range;
  readonly problems: readonly Diagnostic[];
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

/** A question as students see it, its answer marked; what is wrong with it stands beside it. */
export function questionArticle(view: QuestionView): Html {
  const { index, question } = view;
  const id = questionId(index);
  return html`<article class="question" id="${id}" aria-labelledby="${id}-title">
<div class="asked">
${head(view)}
${question.dropped ? html`<p class="dropped">Withdrawn by the exam body: it is not scored.</p>` : ''}
${question.text === undefined ? html`<p class="missing">It has no text.</p>` : html`<div class="stem">${formulaText(question.text)}</div>`}
${question.diagrams.map((diagram) => figure(diagram, view.diagrams.get(diagram.file)))}
${question.options.length === 0 ? '' : html`<ul class="options">\n${question.options.map(optionItem)}</ul>`}
${answerList(question)}
</div>
${problemsBeside(view)}
</article>
`;
}

function head({ index, question: { id, type, topic, difficulty }, lines }: QuestionView): Html {
  const facts = [type === undefined ? undefined : (types[type] ?? type), topic, difficulty];
  return html`<header>
<h2 id="${questionId(index)}-title"><span class="unseen">Question </span>${index + 1}</h2>
<ul class="facts">
${facts.map((fact) => (fact === undefined ? '' : html`<li>${fact}</li>\n`))}</ul>
<p class="source"><code>${id ?? 'no id'}</code> <span>line ${lines.line}</span></p>
</header>`;
}

function optionItem({ key, text, mark }: ShownOption): Html {
  return html`<li class="option${mark ? ` ${mark}` : ''}"><span class="key">${key}</span> <div class="value">${formulaText(text)}</div>${
    mark ? html` <strong class="mark">${tick} ${mark === 'right' ? 'Right' : 'Accepted'}</strong>` : ''
  }</li>
`;
}

const tick = html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><path d="M3 8.5l3.2 3.2L13 4.5"/></svg>`;

function answerList({ answer, accepted, type }: ShownQuestion): Html {
  return html`<dl class="answer">
<div><dt>Answer</dt><dd>${answer ?? 'none'}</dd></div>
${accepted.length === 0 ? '' : html`<div><dt>Accepted</dt><dd>${accepted.join(type === 'msq' ? ' or ' : ', ')}</dd></div>`}
</dl>`;
}

function figure({ file, alt }: ShownDiagram, found: DiagramFile | undefined): Html {
  return html`<figure>
${picture(file, alt, found)}
<figcaption><span class="unseen">Diagram </span><code>${file}</code><span class="alt" aria-hidden="true">${alt}</span></figcaption>
</figure>`;
}

function picture(file: string, alt: string, found: DiagramFile | undefined): Html {
  if (!found) return html`<p class="missing">There is no diagram <code>${file}</code> in this shift.</p>`;
  const { image } = found;
  if ('fault' in image) return html`<p class="missing">This diagram cannot be shown.</p>`;
  const address = diagramAddress(found, file, image.sha256.slice(0, 8));
  return html`<img src="${address}" alt="${alt}" width="${image.width}" height="${image.height}">`;
}

function problemsBeside({ index, problems, path }: QuestionView): Html {
  if (problems.length === 0) return html``;
  const place = { path, pointer: `/questions/${index}`, open: false, columns: 44 };
  return html`<div class="beside" role="group" aria-label="Problems of question ${index + 1}">
${problemList(problems, place)}
</div>`;
}

/** Those of some papers: a paper that is shown again has few new ones. */
const keptFormulas = 5000;
const kept = new LRUCache<string, Html>({ max: keptFormulas });

/**
 * A text as students see it: its formulas set by KaTeX, as HTML for the eye and MathML for screen readers, and
 * `\$` a dollar. A formula that KaTeX does not set stands as it is written, with what KaTeX says of it.
 */
export function formulaText(text: string): Html {
  const { formulas } = formulasOf(text);
  const parts: Html[] = [];
  let at = 0;
  for (const formula of formulas) {
    const dollars = formula.display ? 2 : 1;
    const before = text.slice(at, formula.start - dollars);
    parts.push(plain(formula.display ? before.replace(/\n$/, '') : before), setFormula(formula));
    at = formula.end + dollars;
    // A formula on lines of its own needs no line break around it.
    if (formula.display && text[at] === '\n') at += 1;
  }
  return html`${parts}${plain(text.slice(at))}`;
}

function plain(text: string): Html {
  return html`${text.replaceAll('\\$', '$')}`;
}

function setFormula({ tex, display }: Formula): Html {
  const key = `${display ? '$$' : '$'}${tex}`;
  const known = kept.get(key);
  if (known) return known;
  const set = renderFormula(tex, display);
  kept.set(key, set);
  return set;
}

function renderFormula(tex: string, display: boolean): Html {
  const dollars = display ? '$$' : '$';
  const written = `${dollars}${tex}${dollars}`;
  const fault = formulaFault(written);
  if (fault?.kind === 'unset') return brokenFormula(written, fault.message);
  try {
    return new Html(
      katex.renderToString(tex, { displayMode: display, throwOnError: true, strict: 'ignore', trust: false }),
    );
  } catch (error) {
    return brokenFormula(written, (error as Error).message);
  }
}

function brokenFormula(written: string, reason: string): Html {
  return html`<span class="broken-formula"><code>${written}</code> <span>${reason}</span></span>`;
}
