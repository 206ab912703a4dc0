import { decodeHTMLStrict } from 'entities/decode';
import type { Stretch } from './duplicate-names.ts';

/** A character reference of HTML, and what it stands for. Offsets are those in the text that holds it. */
export interface Entity extends Stretch {
  /** As it is written: `&lt;`, `&#8211;`, `&#x2013;`. */
  readonly text: string;
  /** One character or two; U+FFFD where HTML knows no better, as for `&#xD800;`. */
  readonly decoded: string;
}

const reference = /&(?:#[xX][0-9a-fA-F]+|#[0-9]+|[a-zA-Z][a-zA-Z0-9]*);/g;

/**
 * The character references in a text, in its order: those with a number, and those with a name that the HTML
 * standard lists (13.5). They end in `;`: what does not, as in `Q&A`, is taken as it stands.
 */
export function findEntities(text: string): Entity[] {
  if (!text.includes('&')) return [];
  return [...text.matchAll(reference)].flatMap(({ 0: written, index: start }) => {
    const decoded = decodeHTMLStrict(written);
    return decoded === written ? [] : [{ text: written, decoded, start, end: start + written.length }];
  });
}
