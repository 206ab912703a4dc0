import katex from 'katex';
import { LRUCache } from 'lru-cache';
import type { Diagnostic } from '../check/diagnostic.ts';
import { type Formula, formulasOf } from '../content/formulas.ts';
import type { Range } from '../content/positions.ts';
import type { DiagramFile, DiagramReference } from '../content/types.ts';
import { formulaProblem } from '../rules/katex.ts';
import { Html, html } from '../site/html.ts';
import { fileUrl, questionId, type ShownOption, type ShownQuestion } from './paper.ts';
import { problemList } from './problems.ts';

interface QuestionView {
  /** In the file, from 0. */
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

/** A question as students see it, with the answer marked and its problems beside it. */
export function questionArticle({ index, question, lines, problems, diagrams, path }: QuestionView): Html {
  const { type, answer, accepted } = question;
  const facts = [types[type] ?? type, question.topic, question.difficulty].filter((fact) => fact !== '');
  const id = questionId(index);
  return html`<article class="question" id="${id}" aria-labelledby="${id}-title">
<div>
<header>
<h2 id="${id}-title"><span class="unseen">Question </span>${index + 1}</h2>
<ul class="facts">
${facts.map((fact) => html`<li class="badge">${fact}</li>\n`)}</ul>
<p class="source hint"><code>${question.id || 'no id'}</code> <span>line ${lines.line}</span></p>
</header>
${question.dropped ? html`<p class="missing">Withdrawn by the exam body: it is not scored.</p>` : ''}
${question.question === '' ? html`<p class="missing">It has no text.</p>` : html`<div class="stem">${formulaText(question.question)}</div>`}
${question.diagrams.map((diagram) => figure(diagram, diagrams.get(diagram.file)))}
${question.options.length === 0 ? '' : html`<ul class="options">\n${question.options.map(optionItem)}</ul>`}
<dl class="answer">
<div><dt>Answer</dt><dd>${answer || 'none'}</dd></div>
${accepted.length === 0 ? '' : html`<div><dt>Accepted</dt><dd>${accepted.join(type === 'msq' ? ' or ' : ', ')}</dd></div>`}
</dl>
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

function optionItem({ key, value, mark }: ShownOption): Html {
  return html`<li class="option${mark ? ` ${mark}` : ''}"><span class="key">${key}</span> <div class="value">${formulaText(value)}</div>${
    mark ? html` <strong class="mark">${mark === 'right' ? 'Right' : 'Accepted'}</strong>` : ''
  }</li>
`;
}

function figure({ file, alt }: DiagramReference, found: DiagramFile | undefined): Html {
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

/** Formulas that are cached: those of several papers. */
const maxFormulas = 5000;
const rendered = new LRUCache<string, Html>({ max: maxFormulas });

const plain = (text: string) => text.replaceAll('\\$', '$');

/**
 * Renders a text as students see it: formulas by KaTeX, as HTML and as MathML for screen readers, and `\\$` as a dollar.
 * A formula that KaTeX rejects appears literally, with KaTeX's message.
 */
export function formulaText(text: string): Html {
  const { formulas } = formulasOf(text);
  const parts: Html[] = [];
  let at = 0;
  for (const formula of formulas) {
    const dollars = formula.display ? 2 : 1;
    const before = plain(text.slice(at, formula.start - dollars));
    parts.push(html`${formula.display ? before.replace(/\n$/, '') : before}`, formulaHtml(formula));
    at = formula.end + dollars;
    // A display formula is a block: the line breaks around it would add empty lines.
    if (formula.display && text[at] === '\n') at += 1;
  }
  return html`${parts}${plain(text.slice(at))}`;
}

function formulaHtml({ tex, display }: Formula): Html {
  const dollars = display ? '$$' : '$';
  const source = `${dollars}${tex}${dollars}`;
  const html = rendered.get(source) ?? renderFormula(tex, display, source);
  rendered.set(source, html);
  return html;
}

function renderFormula(tex: string, display: boolean, source: string): Html {
  const fault = formulaProblem(source);
  if (fault?.kind === 'unset') return brokenFormula(source, fault.message);
  try {
    return new Html(
      katex.renderToString(tex, { displayMode: display, throwOnError: true, strict: 'ignore', trust: false }),
    );
  } catch (error) {
    return brokenFormula(source, (error as Error).message);
  }
}

function brokenFormula(source: string, reason: string): Html {
  return html`<span class="broken-formula"><code>${source}</code> <span>${reason}</span></span>`;
}
