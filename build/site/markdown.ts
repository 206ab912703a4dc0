/** Pages in Markdown: CommonMark with tables. */
import { decodeHTMLStrict } from 'entities/decode';
import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import { codeBlock, sample } from './code.ts';
import { Html } from './html.ts';
import { fillText, type Values } from './template.ts';

/**
 * Renders a template in Markdown, with the places of `fill`. Inserted text is Markdown, too. A heading can end with its
 * id, as in `## Title {#id}`, the first cell of each row is its header, and code is highlighted: with the name of its
 * language if it is a sample, such as `curl`, and without if it is data, such as `json`.
 */
export function markdown(template: string, values: Values): Html {
  const inserted: string[] = [];
  const text = fillText(template, values, (part) => {
    if (!(part instanceof Html)) return String(part);
    // The characters of private use stand for markup, which Markdown would change.
    return `\ue000${inserted.push(part.text) - 1}\ue001`;
  });
  const rendered = micromark(text, {
    extensions: [gfmTable()],
    htmlExtensions: [gfmTableHtml()],
    allowDangerousHtml: true,
  });
  return new Html(
    `${rendered}\n`
      .replace(/<h(\d)>(.*) \{#(.+)\}<\/h\1>/g, '<h$1 id="$3">$2</h$1>')
      .replaceAll('<th>', '<th scope="col">')
      .replace(/<tr>\n<td>(.*)<\/td>/g, '<tr>\n<th scope="row">$1</th>')
      .replace(
        /<pre><code class="language-(\w+)">(.*?)\n<\/code><\/pre>\n/gs,
        (_, language: string, code: string) => {
          const source = decodeHTMLStrict(code);
          return language === 'json'
            ? codeBlock(source, language).text
            : sample(language, source).text;
        },
      )
      .replace(/<p>(\ue000\d+\ue001)<\/p>\n/g, '$1')
      .replace(/\ue000(\d+)\ue001/g, (_, index: string) => inserted[Number(index)] ?? ''),
  );
}
