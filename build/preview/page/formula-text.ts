import katex from 'katex';
import { LRUCache } from 'lru-cache';
import { type Formula, formulasOf } from '../../rules/formula/formulas.ts';
import { formulaFault } from '../../rules/formula/katex.ts';
import { Html, html } from '../../site/html.ts';

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
