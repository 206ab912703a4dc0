import { type Entity, findEntities } from '../../content/entities.ts';
import { type Formula, formulaFinder, proseOf } from '../formula/formulas.ts';
import type { Finding } from '../rule.ts';
import { type Markup, markupOf } from './markup.ts';
import type { TextRule } from './text-rule.ts';

export const html: TextRule = {
  name: 'html',
  description:
    'Texts hold no HTML: no tags or comments outside formulas, and no entities anywhere. A lone < or & is no HTML.',
  severity: 'error',
  example: { wrong: '"value": "H<sub>2</sub>O &amp; CO"', right: '"value": "H$_2$O & CO"' },
  concerns: /<[a-zA-Z/!]|&[a-zA-Z0-9#]+;/,
  *check({ path, pointer, text }) {
    for (const markup of markupOf(proseOf(text))) yield { path, pointer, ...ofMarkup(text, markup) };
    yield* ofEntities(text).map((finding) => ({ path, pointer, ...finding }));
  },
};

type TextFinding = Omit<Finding, 'path' | 'pointer'>;

function ofMarkup(text: string, { start, end, name, inner }: Markup): TextFinding {
  const suggestion = name === 'br' ? '\n' : inner && plainly(name, text.slice(inner.start, inner.end));
  return {
    part: { of: 'value', start, end },
    message:
      name === ''
        ? 'A comment of HTML is shown to readers as it stands. Remove it.'
        : `<${name}> is HTML, which is shown to readers as it stands. Write plain text, and formulas in $...$.`,
    ...(suggestion !== undefined && { suggestion }),
  };
}

/** What an element comes to without HTML; undefined where that is not clear. */
function plainly(name: string, text: string): string | undefined {
  if (/[<>&]/.test(text)) return undefined;
  if (name !== 'sub' && name !== 'sup') return styles.has(name) ? text : undefined;
  if (!/^[\w+.,()\u2212-]{1,12}$/.test(text)) return undefined;
  const tex = text.replaceAll('\u2212', '-');
  return `$${name === 'sub' ? '_' : '^'}${tex.length === 1 ? tex : `{${tex}}`}$`;
}

/** Elements that say how text looks, and nothing of what it is. */
const styles: ReadonlySet<string> = new Set(
  'b big center cite div em font i nobr p s small span strong tt u'.split(' '),
);

function ofEntities(text: string): TextFinding[] {
  const formulaAt = formulaFinder(text);
  let last = 0;
  return findEntities(text).flatMap((entity) => {
    if (entity.start < last) return [];
    const { end, decoded } = wholeEntity(text, entity);
    last = end;
    const written = text.slice(entity.start, end);
    const suggestion = asWritten(decoded, formulaAt(entity.start));
    return [
      {
        part: { of: 'value' as const, start: entity.start, end },
        message: `${written} is an entity of HTML, which is shown to readers as it stands. Write the character itself.`,
        ...(suggestion !== undefined && { suggestion }),
      },
    ];
  });
}

/** Nothing is encoded more often than that. */
const mostTimes = 5;

/** Some were encoded more than once: `&amp;lt;` and `&amp;amp;lt;` are `<`. */
function wholeEntity(text: string, entity: Entity): { readonly end: number; readonly decoded: string } {
  let { end, decoded } = entity;
  for (let time = 1; time < mostTimes && decoded === '&'; time += 1) {
    const [rest] = /^[a-zA-Z0-9#]{1,40};/.exec(text.slice(end, end + 41)) ?? [];
    const [inner] = rest === undefined ? [] : findEntities(`&${rest}`);
    if (!inner) break;
    end += inner.end - 1;
    decoded = inner.decoded;
  }
  return { end, decoded };
}

/** How a character is written in a text; undefined where nobody could see it. */
function asWritten(decoded: string, formula: Formula | undefined): string | undefined {
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/u.test(decoded)) return undefined;
  if (decoded === '$') return '\\$';
  if (decoded === '&' && formula?.tex.includes('\\begin{')) return '&';
  return formula && /^[#%&_{}]$/.test(decoded) ? `\\${decoded}` : decoded;
}
