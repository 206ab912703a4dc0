/** Markup: a template tag that escapes, and components that several pages share. */
import type { AnswerKey, Source } from '../release/resources.ts';

/** Markup that is inserted into pages without escaping. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What is undefined or false is left out. */
export type Part = Html | string | number | undefined | false | readonly Part[];

/**
 * Builds markup from a template. Inserted values are escaped unless they are markup. What is left out takes its line with
 * it, if nothing else is there.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? '';
  for (const [index, part] of parts.entries()) {
    const after = strings[index + 1] ?? '';
    const isLeftOut = part === undefined || part === false;
    const hasOwnLine = (text === '' || text.endsWith('\n')) && after.startsWith('\n');
    text += render(part) + (isLeftOut && hasOwnLine ? after.slice(1) : after);
  }
  return new Html(text);
}

/** Renders a part of a template: text is escaped. */
export function render(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === false) return '';
  if (typeof part === 'object') return part.map(render).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Renders text whose parts in backticks are code. */
export function inline(text: string): Html[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/** Renders values separated by commas. */
export function commaList(parts: readonly (Html | string | number)[]): Part {
  return parts.map((part, index) => (index === 0 ? part : html`, ${part}`));
}

/** Where questions come from, and under which terms they may be used. */
export function sourceLine({ title, url, licence, attribution }: Source): Html {
  const terms = [licence && `licence: ${licence}`, attribution].filter(
    (part) => part !== undefined,
  );
  const name = url === undefined ? title : html`<a href="${url}">${title}</a>`;
  return html`<p class="hint">Source: ${commaList([html`${name}`, ...terms])}</p>\n`;
}

/** The official key that answers were compared with. */
export function answerKeyLine({ title, url, date, status }: AnswerKey): Html {
  const name = url === undefined ? title : html`<a href="${url}">${title}</a>`;
  return html`<p class="hint">Answers as in: ${name}, ${status}, ${date}</p>\n`;
}

/** Attributes of a field for an address or a name: nothing corrects it. */
export const verbatim = html`autocapitalize="none" spellcheck="false"`;

/** A section of a page, with a heading that links can point to. */
export function section(id: string, title: string, content: Part): Html {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}</section>
`;
}

/** A table. @param rows the cells of each row; the first is its header */
export function table(
  headings: readonly string[],
  rows: readonly (readonly Part[])[],
  caption?: string,
): Html {
  return html`<table>
${caption === undefined ? '' : html`<caption>${caption}</caption>\n`}<thead><tr>${headings.map(
    (heading) => html`<th scope="col">${heading}</th>`,
  )}</tr></thead>
<tbody>
${rows.map(
  ([
    first = '',
    ...cells
  ]) => html`<tr><th scope="row">${first}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody>
</table>
`;
}
