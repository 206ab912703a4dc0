import type { Stretch } from '../../content/duplicate-names.ts';
import { htmlElements, voidElements } from './html-elements.ts';

/** An element of HTML with its tags, a tag without its other, or a comment. */
export interface Markup extends Stretch {
  /** In lower case; '' for a comment. */
  readonly name: string;
  /** What stands between its tags. */
  readonly inner?: Stretch;
}

interface Tag extends Stretch {
  readonly name: string;
  readonly kind: 'start' | 'end' | 'empty';
}

/**
 * The HTML in prose: tags of elements that HTML has, with attributes that have values, and comments. `a < b` is none,
 * nor is `x<y and y>z`.
 */
export function markupOf(prose: string): Markup[] {
  const tags = tagsOf(prose);
  const partners = partnersOf(tags);
  const found: Markup[] = commentsOf(prose);
  let last = 0;
  for (const [index, tag] of tags.entries()) {
    if (tag.start < last || (tag.kind === 'start' && !partners.has(index) && isComparison(prose, tag)))
      continue;
    const partner = tags[partners.get(index) ?? -1];
    const inner = partner && { start: tag.end, end: partner.start };
    last = partner?.end ?? tag.end;
    found.push({ start: tag.start, end: last, name: tag.name, ...(inner && { inner }) });
  }
  return found.sort((a, b) => a.start - b.start);
}

const tagPattern =
  /<(\/?)([a-zA-Z][a-zA-Z0-9]{0,20}(?::[a-zA-Z]{1,20})?)(?:\s{1,20}[\w:-]{1,50}\s?=\s?(?:"[^"<>]{0,500}"|'[^'<>]{0,500}'|[^\s"'<>]{1,500})){0,30}\s{0,20}(\/?)>/g;

function tagsOf(prose: string): Tag[] {
  return [...prose.matchAll(tagPattern)].flatMap(
    ({ 0: text, 1: slash, 2: written = '', 3: empty, index }) => {
      const name = written.toLowerCase();
      // Word processors write names such as <o:p>.
      if (!htmlElements.has(name) && !name.includes(':')) return [];
      // HTML is written in one case: <Main> is a word.
      if (written !== name && written !== written.toUpperCase()) return [];
      const kind = slash ? 'end' : empty || voidElements.has(name) ? 'empty' : 'start';
      return [{ name, kind, start: index, end: index + text.length }];
    },
  );
}

/** Of each start tag the end tag that belongs to it, by their indices. */
function partnersOf(tags: readonly Tag[]): Map<number, number> {
  const partners = new Map<number, number>();
  const open = new Map<string, number[]>();
  for (const [index, { name, kind }] of tags.entries()) {
    const waiting = open.get(name) ?? [];
    open.set(name, waiting);
    if (kind === 'start') waiting.push(index);
    const start = kind === 'end' ? waiting.pop() : undefined;
    if (start !== undefined) partners.set(start, index);
  }
  return partners;
}

/** `a<b>c` compares three numbers: a letter between signs, and nothing beside it. */
function isComparison(prose: string, { start, end }: Tag): boolean {
  return (
    end - start === '<b>'.length &&
    /[\w)\]}]/.test(prose[start - 1] ?? '') &&
    /[\w([{]/.test(prose[end] ?? '')
  );
}

function commentsOf(prose: string): Markup[] {
  const comments: Markup[] = [];
  let start = prose.indexOf('<!--');
  while (start >= 0) {
    const close = prose.indexOf('-->', start);
    if (close < 0) break;
    comments.push({ start, end: close + '-->'.length, name: '' });
    start = prose.indexOf('<!--', close);
  }
  return comments;
}
