/** Another renderer of texts: CommonMark with tables, and KaTeX. */
import katex from 'katex';
import 'katex/contrib/mhchem';
import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';

/** Texts have no HTML: < and & are ordinary characters. */
const withoutHtml = { disable: { null: ['htmlText', 'htmlFlow', 'characterReference'] } };

/** A character after a backslash, a formula, an underscore, or a line break. */
const parts = /\\[\s\S]|\$\$(?:\\[\s\S]|[^\\])*?\$\$|\$(?:\\[\s\S]|[^\\$])+\$|[_\n]/g;

/** Renders a text as HTML. @param image returns the element for the file name of a diagram */
export function commonMarkHtml(text: string, image: (file: string) => string): string {
  const formulas: string[] = [];
  const marked = text.replace(parts, (part) => {
    if (part === '_') return '\\_';
    if (part === '\n') return '  \n';
    if (!part.startsWith('$')) return part;
    // A private character stands for the formula, so that Markdown does not see what is in it.
    return `\uE000${formulas.push(part) - 1}\uE001`;
  });
  return micromark(marked, {
    extensions: [gfmTable(), withoutHtml],
    htmlExtensions: [gfmTableHtml()],
  })
    .replace(/<img src="([^"]*)"[^>]*>/g, (_, file) => image(file))
    .replace(/\uE000(\d+)\uE001/g, (_, index) => formulaHtml(formulas[index] ?? ''));
}

function formulaHtml(formula: string): string {
  const displayMode = formula.startsWith('$$');
  const tex = displayMode ? formula.slice(2, -2) : formula.slice(1, -1);
  return katex.renderToString(tex, { displayMode, throwOnError: false });
}
