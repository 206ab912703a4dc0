/** What opens something in LaTeX, and what closes it. */
const pairs = /\\(?:left|right)(?![a-zA-Z])|\\(begin|end)\s*\{[^{}]{0,50}\}|\\[\s\S]|[{}]/g;

/**
 * The innermost brace, `\left` or `\begin{...}` of a formula that is still open where it ends: offsets in
 * UTF-16 units; undefined when all are closed.
 */
export function unclosed(tex: string): { readonly start: number; readonly end: number } | undefined {
  const open: { readonly kind: string; readonly start: number; readonly end: number }[] = [];
  for (const { 0: found, 1: environment, index: start } of tex.matchAll(pairs)) {
    const kind = environment ? 'environment' : /[{}]/.test(found[0] ?? '') ? 'brace' : 'delimiter';
    if (found === '{' || found === '\\left' || environment === 'begin')
      open.push({ kind, start, end: start + found.length });
    else if ((found === '}' || found === '\\right' || environment === 'end') && open.at(-1)?.kind === kind)
      open.pop();
  }
  return open.at(-1);
}
