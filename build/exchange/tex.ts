/** LaTeX in HTML: between delimiters, in attributes, scripts and MathML, and made of raised and lowered text. */
import querystring from 'node:querystring';
import { type Element, elementsIn, type Node, parseHtml, textIn } from './source.ts';
import signs from './tex-signs.json' with { type: 'json' };

/**
 * Formulas between MathJax's delimiters: `\(...\)`, `\[...\]`, `$$...$$`, and Moodle's `[tex]...[/tex]`. A backslash
 * belongs to the next sign. U+FDD9 is an image, which no formula contains.
 */
export const mathTags = new RegExp(
  [
    /\\\(((?:[^\\\ufdd9]|\\[^()])+)\\\)/,
    /\\\[((?:[^\\\ufdd9]|\\[^[\]])+)\\\]/,
    /\$\$((?:[^\\$\ufdd9]|\\[^\ufdd9])+)\$\$/,
    /\[tex\]((?:[^[\ufdd9]|\[(?!\/?tex\]))+)\[\/tex\]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** What may be a formula between single dollars. `$5 and $7` is none. */
export const dollarFormula =
  /(?<![\\$\w])\$(?![\s$])[^$\n\ufdd9]{0,200}?[^$\n\s\\\ufdd9]\$(?![\d$])/g;

/** LaTeX as a line: without comments, which end with their line, and without dollars that would end the formula. */
export function texIn(tex: string, lose: (what: string) => void): string {
  const clean = tex
    .replace(/(?<!\\)((?:\\\\)*)%[^\n]*\n\s*/g, '$1')
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
    .replace(/(?<!\\)\\$/, '\\ ');
  const dollars = /(?<!\\)\$/g;
  if (dollars.test(clean)) lose('dollar signs in formulas');
  return clean.replace(dollars, '\\$');
}

interface Tex {
  readonly tex: string;
  readonly isDisplay: boolean;
}

/** The LaTeX that an element has for what it shows, as editors and converters write it; undefined for another element. */
export function teX(element: Element): Tex | undefined {
  const { name, attributes } = element;
  const { class: names = '', alt = '', src = '' } = attributes;
  if (name === 'script' && /^math\/tex/.test(attributes['type'] ?? ''))
    return { tex: textIn(element), isDisplay: /display/.test(attributes['type'] ?? '') };
  const attribute =
    attributes['dataequationcontent'] ??
    attributes['datalatex'] ??
    attributes['datatex'] ??
    (/ql-formula|math|tex|equation/i.test(names) ? attributes['datavalue'] : undefined);
  if (attribute?.trim()) return { tex: attribute, isDisplay: false };
  const mathml = attributes['datamathml'];
  if (mathml) {
    // Wiris writes signs of XML as others.
    const written = mathml.replace(
      /[«»¨§]/g,
      (sign) => ({ '«': '<', '»': '>', '¨': '"', '§': '&' })[sign] ?? sign,
    );
    const [math] = parseHtml(written);
    const { tex, isDisplay } = typeof math === 'object' ? mathOf(math) : noMath;
    if (tex !== undefined) return { tex, isDisplay };
  }
  if (name !== 'img') {
    const isKatex = /(?:^|\s)katex(?:-display)?(?:\s|$)/.test(names);
    const [math] = isKatex ? elementsIn(element, /^math$/) : [];
    const { tex } = math ? mathOf(math) : noMath;
    return tex === undefined ? undefined : { tex, isDisplay: names.includes('display') };
  }
  const [, labelled] = /^\s*LaTeX:\s*(.+)/s.exec(alt) ?? [];
  if (labelled !== undefined) return { tex: labelled, isDisplay: false };
  const isRendered =
    /(?:^|\s)(?:latex|tex|texrender|mwe-math-fallback-image-\w+|equation\w*|math)(?:\s|$)/i;
  if (isRendered.test(names) && alt.trim() !== '')
    return { tex: withoutDelimiters(alt), isDisplay: /display/.test(names) };
  const [, query] =
    /^https?:\/\/[^?]*(?:latex|tex|math|chart)[^?]*\?(?:.*&chl=|.*&?tex=|)(.+)$/i.exec(src) ?? [];
  if (query !== undefined && /codecogs|cht=tx|mathtex|mimetex|latex/i.test(src))
    return {
      tex: querystring
        .unescape(query.replace(/\+/g, ' '))
        .replace(/^\\(?:dpi\{\d+\}|inline|bg_\w+)\s*/g, ''),
      isDisplay: false,
    };
  return undefined;
}

const noMath = { tex: undefined, isDisplay: false, text: '' };

/** MathML with an annotation in TeX, or the same in `alttext`. @returns its text, too */
export function mathOf(math: Element) {
  const annotations = elementsIn(math, /^annotation$/);
  const annotation = annotations.find(({ attributes }) =>
    /tex/i.test(attributes['encoding'] ?? ''),
  );
  const tex = withoutDelimiters(
    annotation ? textIn(annotation) : (math.attributes['alttext'] ?? ''),
  );
  const isDisplay = math.attributes['display'] === 'block';
  const shown = annotations.reduce((text, one) => text.replace(textIn(one), ''), textIn(math));
  return { tex: tex.trim() === '' ? undefined : tex, isDisplay, text: shown.replace(/\s+/g, ' ') };
}

function withoutDelimiters(tex: string): string {
  const [, inner = tex] = /^\s*(?:\\[([]|\$\$?)(.*?)(?:\\[)\]]|\$\$?)\s*$/s.exec(tex) ?? [];
  return inner.replace(/^\s*\{\\displaystyle\s+(.*)\}\s*$/s, '$1');
}

const commands = new Map(
  Object.entries(signs).flatMap(([command, characters]) =>
    Array.from(characters, (character) => [character, command] as const),
  ),
);

/** Raised or lowered text as LaTeX, with raised and lowered text in it: `^{3^2}`. Empty without text. */
export function scriptOf(
  element: Element,
  isRaised: boolean,
  lose: (what: string) => void,
): string {
  const tex = element.children
    .map((child) => scriptPart(child, isRaised, lose))
    .join('')
    .trim();
  if (tex === '') return '';
  const isShort = Array.from(tex).length === 1 || /^\\(?:circ|prime)$/.test(tex);
  return `${isRaised ? '^' : '_'}${isShort ? tex : `{${tex}}`}`;
}

function scriptPart(node: Node, isRaised: boolean, lose: (what: string) => void): string {
  if (typeof node === 'string') return wordsAsTex(node, isRaised);
  const { name, children } = node;
  const tex = teX(node) ?? (name === 'math' ? mathOf(node) : undefined);
  if (tex?.tex !== undefined) return texIn(tex.tex, lose);
  if (name === 'sub' || name === 'sup') return scriptOf(node, name === 'sup', lose);
  if (/^(?:u|s|del|a|code|h\d|img)$/.test(name)) lose(`elements: ${name}`);
  const inner = children.map((child) => scriptPart(child, isRaised, lose)).join('');
  return /^(?:b|strong)$/.test(name) && inner.trim() !== '' ? `\\mathbf{${inner}}` : inner;
}

/** Words as LaTeX: a word is upright, a letter is a variable, and signs are commands. */
function wordsAsTex(words: string, isRaised: boolean): string {
  const delimited = /^\s*\\\((.*)\\\)\s*$/s.exec(words);
  if (delimited) return delimited[1] ?? '';
  const plain = words
    .replace(/[\s\u00a0]+/g, ' ')
    .replace(/[\p{Cc}\u00ad\u200b\u2060\ufeff]/gu, '');
  const parts = plain.match(/\p{L}[\p{L}\p{M}]+(?: \p{L}+)*|[\s\S]/gu) ?? [];
  let tex = '';
  for (const part of parts) {
    const command = part === '°' && isRaised ? '\\circ' : commands.get(part);
    if (command !== undefined) tex += /[a-zA-Z]$/.test(command) ? `${command} ` : command;
    else if (/^[\w+\-=.,()/ *'!:;<>|[\]?"@]$/.test(part) && part !== '_') tex += part;
    else if (/^[#%&_{}$]$/.test(part)) tex += `\\${part}`;
    else tex += `\\text{${part.replace(/[#%&_{}$]/g, '\\$&').replace(/[\\^~]/g, '')}}`;
  }
  // A command ends at a sign; before a letter or digit it needs the space.
  return tex.replace(/(\\[a-zA-Z]+) (?=[^a-zA-Z\d]|$)/g, '$1');
}
