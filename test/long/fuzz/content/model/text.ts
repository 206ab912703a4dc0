import katex from 'katex';
import 'katex/contrib/mhchem';

/** Whether KaTeX accepts a formula. */
const formulaCache = new Map<string, boolean>();
const maxCached = 20_000;

const escaped = String.raw`\\[\s\S]`;
const formula = new RegExp(
  String.raw`${escaped}|\$\$((?:${escaped}|[^$\\])*)\$\$|\$((?:${escaped}|[^$\\])*)\$`,
  'g',
);

/** HTML elements, without comparisons of numbers such as `a<b>c`. */
const element =
  /<\/?(?:br|img|script|div|span|sub|sup|table|strong|em|svg|body|html|style|iframe|input)(?:\s+[a-z-]+="[^"]*")*\s*\/?>|<(?:a|b|i|p|u)\s+[a-z-]+="[^"]*"\s*>|<([bipu])>[^<>]*<\/\1>/;

/** The error of a text (design: Content): it must be in NFC, contain no HTML, and KaTeX must accept its formulas. */
export function textError(text: string): string | undefined {
  if (!text.isWellFormed()) return 'a lone surrogate';
  if (text.normalize('NFC') !== text) return 'not NFC';
  if (/&(?:lt|gt|amp|nbsp|quot|#[0-9]{1,6}|#x[0-9a-f]{1,6});/i.test(text)) return 'an HTML entity';
  const plain = text.replace(formula, ' ');
  if (plain.includes('$')) return 'an unpaired dollar sign';
  if (/<!--[\s\S]*-->/.test(plain) || element.test(plain)) return 'HTML';
  for (const [, display, inline] of text.matchAll(formula)) {
    const latex = display ?? inline;
    if (latex !== undefined && !isSet(latex, display !== undefined))
      return `a formula that KaTeX rejects, ${latex}`;
  }
  return undefined;
}

/** The error of a number, section or label as printed. */
export function nameError(name: unknown): string | undefined {
  if (typeof name !== 'string' || !/^\S(?:.*\S)?$/s.test(name)) return 'no name';
  if (name.normalize('NFC') !== name) return 'not NFC';
  return /[\p{Cc}\p{Cs}\u200b\u00ad\u2060\ufeff\u202e\ufffd]/u.test(name)
    ? 'an invisible character'
    : undefined;
}

function isSet(latex: string, displayMode: boolean): boolean {
  const name = `${displayMode} ${latex}`;
  const cached = formulaCache.get(name);
  if (cached !== undefined) return cached;
  if (formulaCache.size >= maxCached) formulaCache.clear();
  let result = true;
  try {
    katex.renderToString(latex, {
      displayMode,
      throwOnError: true,
      strict: 'ignore',
      output: 'mathml',
    });
  } catch {
    result = false;
  }
  formulaCache.set(name, result);
  return result;
}

/** The magic numbers of image formats, by file extension. */
const signatures: readonly (readonly [endings: RegExp, first: RegExp])[] = [
  [/\.png$/, /^\x89PNG\r\n/],
  [/\.jpe?g$/, /^\xff\xd8\xff/],
  [/\.gif$/, /^GIF8[79]a/],
  [/\.webp$/, /^RIFF[\s\S]{4}WEBP/],
  [/\.avif$/, /^[\s\S]{4}ftyp[\s\S]*avi[fs]/],
  [/\.svg$/, /^(?:\xef\xbb\xbf)?\s*</],
];

/** Scripts and external resources in SVG. */
const hazards =
  /<(?:\w+:)?(?:script|foreignObject)\b|\son[a-z]+\s*=|javascript:|(?:href|src)\s*=\s*["']\s*(?:https?:)?\/\/|<!ENTITY|@import|url\(\s*["']?\s*(?:https?:)?\/\//i;

/** The error of a diagram (design: Content), as words that follow its name. */
export function imageError(file: string, bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1');
  const signature = signatures.find(([endings]) => endings.test(file));
  if (!signature) return 'has no image extension';
  if (!signature[1].test(text)) return 'does not match its extension';
  if (file.endsWith('.png') && !/IEND[\s\S]{4}$/.test(text)) return 'is cut off';
  if (
    file.endsWith('.svg') &&
    !/<\/(?:\w+:)?svg\s*>\s*(?:<!--[\s\S]*-->\s*)*$|<(?:\w+:)?svg[^>]*\/>/.test(text)
  )
    return 'is cut off';
  return file.endsWith('.svg') && hazards.test(text.replace(/<!--[\s\S]*?-->/g, ''))
    ? 'has a script or an external resource'
    : undefined;
}
