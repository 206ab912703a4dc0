import katex from 'katex';

/** Formulas are asked about once. */
const known = new Map<string, boolean>();
const mostKnown = 20_000;

const escaped = String.raw`\\[\s\S]`;
const formula = new RegExp(
  String.raw`${escaped}|\$\$((?:${escaped}|[^$\\])*)\$\$|\$((?:${escaped}|[^$\\])*)\$`,
  'g',
);

/** Elements that people write, but for such as compare numbers: `a<b>c`. */
const element =
  /<\/?(?:br|img|script|div|span|sub|sup|table|strong|em|svg|body|html|style|iframe|input)(?:\s+[a-z-]+="[^"]*")*\s*\/?>|<(?:a|b|i|p|u)\s+[a-z-]+="[^"]*"\s*>|<([bipu])>[^<>]*<\/\1>/;

/** What a text has that none may have (design: Content): it is NFC, holds no HTML, and KaTeX sets its formulas. */
export function faultOfText(text: string): string | undefined {
  if (!text.isWellFormed()) return 'half a character';
  if (text.normalize('NFC') !== text) return 'not NFC';
  if (/&(?:lt|gt|amp|nbsp|quot|#[0-9]{1,6}|#x[0-9a-f]{1,6});/i.test(text)) return 'an entity of HTML';
  const plain = text.replace(formula, ' ');
  if (plain.includes('$')) return 'a dollar without its other one';
  if (/<!--[\s\S]*-->/.test(plain) || element.test(plain)) return 'HTML';
  for (const [, display, inline] of text.matchAll(formula)) {
    const latex = display ?? inline;
    if (latex !== undefined && !isSet(latex, display !== undefined))
      return `a formula that KaTeX does not set, ${latex}`;
  }
  return undefined;
}

function isSet(latex: string, displayMode: boolean): boolean {
  const name = `${displayMode} ${latex}`;
  const isKnown = known.get(name);
  if (isKnown !== undefined) return isKnown;
  if (known.size >= mostKnown) known.clear();
  let result = true;
  try {
    katex.renderToString(latex, { displayMode, throwOnError: true, strict: 'ignore', output: 'mathml' });
  } catch {
    result = false;
  }
  known.set(name, result);
  return result;
}
