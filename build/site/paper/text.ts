import katex from 'katex';
import type { Formula } from '../../content/formulas.ts';
import { type Branch, parseText, type TextNode } from '../../content/markdown.ts';
import { formulaProblem } from '../../rules/katex.ts';
import { Html, html } from '../html.ts';

/** Renders a diagram that a text places: as a figure, or as an image among words. */
export type RenderDiagram = (file: string, isFigure: boolean) => Html;

/** How formulas are rendered: as MathML, which needs nothing else, or also as HTML for KaTeX's style sheet. */
export type FormulaOutput = 'mathml' | 'htmlAndMathml';

/** Renders what a text is made of beside words. */
interface Renderer {
  readonly diagram: RenderDiagram;
  readonly output: FormulaOutput;
}

/**
 * Renders a text as students see it: Markdown as HTML, and formulas by KaTeX. Everything else is escaped. A formula that
 * KaTeX rejects appears literally, with KaTeX's message.
 *
 * @param isOption as `parseText` takes it
 */
export function textHtml(
  text: string,
  diagram: RenderDiagram,
  isOption = false,
  output: FormulaOutput = 'htmlAndMathml',
): Html {
  return partsHtml(parseText(text, isOption).parts, { diagram, output });
}

/** The parts of a text, an item or a cell. A single paragraph has no element of its own. */
function partsHtml(parts: readonly TextNode[], renderer: Renderer): Html {
  const [first, ...more] = parts;
  return first?.kind === 'paragraph' && more.every(({ kind }) => kind === 'list')
    ? html`${paragraphContent(first.children, renderer)}${more.map((part) => partHtml(part, renderer))}`
    : html`${parts.map((part) => partHtml(part, renderer))}`;
}

function partHtml(part: TextNode, renderer: Renderer): Html {
  switch (part.kind) {
    case 'words':
    case 'outside':
      return html`${part.words}`;
    case 'formula':
      return formulaHtml(part.formula, renderer.output);
    case 'break':
      return html`<br>\n`;
    case 'diagram':
      return renderer.diagram(part.file, false);
    case 'paragraph': {
      const content = paragraphContent(part.children, renderer);
      return isFigure(part.children) ? content : html`<p>${content}</p>\n`;
    }
    case 'strong':
      return html`<strong>${inlineHtml(part.children, renderer)}</strong>`;
    case 'emphasis':
      return html`<em>${inlineHtml(part.children, renderer)}</em>`;
    case 'list': {
      const items = part.children.map((item) => partHtml(item, renderer));
      if (part.first === undefined) return html`<ul>\n${items}</ul>\n`;
      return html`<ol${part.first === 1 ? '' : html` start="${part.first}"`}>\n${items}</ol>\n`;
    }
    case 'item':
      return html`<li>${partsHtml(part.children, renderer)}</li>\n`;
    case 'table':
      return tableHtml(part, renderer);
    default:
      return inlineHtml(part.children, renderer);
  }
}

/** Whether a diagram is alone in its paragraph. */
function isFigure([first, ...more]: readonly TextNode[]): boolean {
  return first?.kind === 'diagram' && more.length === 0;
}

function paragraphContent(parts: readonly TextNode[], renderer: Renderer): Html {
  const [first] = parts;
  return first?.kind === 'diagram' && isFigure(parts)
    ? renderer.diagram(first.file, true)
    : inlineHtml(parts, renderer);
}

function inlineHtml(parts: readonly TextNode[], renderer: Renderer): Html {
  // A display formula is a block: the line breaks around it would add empty lines.
  const isBlock = (part: TextNode | undefined) => part?.kind === 'formula' && part.formula.display;
  const shown = parts.filter(
    ({ kind }, index) =>
      kind !== 'break' || !(isBlock(parts[index - 1]) || isBlock(parts[index + 1])),
  );
  const isInline = (part: TextNode | undefined) =>
    part?.kind === 'formula' && !part.formula.display;
  /** Words in three parts: what follows a formula without a space, the rest, and what opens before a formula. */
  const split = (index: number) => {
    const part = shown[index];
    const words = part?.kind === 'words' ? part.words : '';
    const [end = ''] = (isInline(shown[index - 1]) && /^[^\s\p{Lo}]+/u.exec(words)) || [];
    const rest = words.slice(end.length);
    const [start = ''] = (isInline(shown[index + 1]) && /[\p{Ps}\p{Pi}]+$/u.exec(rest)) || [];
    return { end, middle: rest.slice(0, rest.length - start.length), start };
  };
  return html`${shown.map((part, index) => {
    if (part.kind === 'words') return html`${split(index).middle}`;
    const rendered = partHtml(part, renderer);
    return isInline(part)
      ? unbroken(split(index - 1).start, rendered, split(index + 1).end)
      : rendered;
  })}`;
}

/** Browsers may break a line next to a formula, whatever is beside it. Long formulas may still break inside. */
function unbroken(start: string, formula: Html, end: string): Html {
  if (start + end === '') return formula;
  const parts = formula.text.replaceAll(
    '</span><span class="base">',
    '</span><wbr><span class="base">',
  );
  return html`<span class="unbroken">${start}${new Html(parts)}${end}</span>`;
}

function tableHtml(table: Extract<Branch, { kind: 'table' }>, renderer: Renderer): Html {
  const [header = [], ...rows] = table.children.map(childrenOf);
  const style = (column: number) => {
    const align = table.align[column] ?? 'none';
    return align === 'none' ? '' : html` style="text-align: ${align}"`;
  };
  const content = (cell: TextNode | undefined) =>
    cell ? partsHtml(childrenOf(cell), renderer) : html``;
  // Markdown shows as many cells as the header has.
  const body = rows.map(
    (cells) =>
      html`<tr>${header.map((_, column) => html`<td${style(column)}>${content(cells[column])}</td>`)}</tr>\n`,
  );
  return html`<table>
<thead><tr>${header.map((cell, column) =>
    childrenOf(cell).length === 0
      ? html`<td></td>`
      : html`<th scope="col"${style(column)}>${content(cell)}</th>`,
  )}</tr></thead>
<tbody>
${body}</tbody>
</table>
`;
}

function childrenOf(part: TextNode): readonly TextNode[] {
  return 'children' in part ? part.children : [];
}

/** Formulas that are cached: those of several papers. */
const maxFormulas = 5000;
const rendered = new Map<string, Html>();

function formulaHtml(formula: Formula, output: FormulaOutput): Html {
  const key = `${output} ${formula.display} ${formula.tex}`;
  let shown = rendered.get(key);
  if (!shown) {
    // Browsers load this module, too: what is rendered again costs less than a cache with an order.
    if (rendered.size >= maxFormulas) rendered.clear();
    shown = renderFormula({ ...formula, output });
    rendered.set(key, shown);
  }
  return shown;
}

function renderFormula({ tex, display, output }: Formula & { output: FormulaOutput }): Html {
  const dollars = display ? '$$' : '$';
  const source = `${dollars}${tex}${dollars}`;
  const fault = formulaProblem(source);
  if (fault?.kind === 'unset') return brokenFormula(source, fault.message);
  const options = {
    displayMode: display,
    throwOnError: true,
    strict: 'ignore',
    trust: false,
  } as const;
  try {
    return new Html(katex.renderToString(tex, { ...options, output }));
  } catch (error) {
    return brokenFormula(source, (error as Error).message);
  }
}

function brokenFormula(source: string, reason: string): Html {
  return html`<span class="broken-formula"><code>${source}</code> <span>${reason}</span></span>`;
}
