import { type Html, html } from '../html.ts';

/** A text of one paragraph: what stands between backquotes is code. */
export function inline(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/** A text whose paragraphs are parted by blank lines. */
export function paragraphs(text: string): Html[] {
  return text.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>\n`);
}
