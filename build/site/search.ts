/** The index of the search: the text of the docs, under every term that they have an address for. */
import { decodeHTMLStrict } from 'entities/decode';
import { jsonType, type Output } from '../compile/response.ts';
import { publicFile } from './assets.ts';
import type { SearchEntry } from './browser/search-engine.ts';
import { searchIndexUrl } from './text.ts';

/**
 * Makes the index of pages: their titles, headings, fields, header fields and messages, each with the text below it.
 *
 * @param others of what is not in the text of these pages
 */
export function searchIndex(outputs: readonly Output[], others: readonly SearchEntry[]): Output {
  const pages = outputs.filter(({ mediaType }) => mediaType.startsWith('text/html'));
  const ofPages = pages.flatMap(({ path, body }) => entriesOf(`/${path}/`, body.toString()));
  const entries = [...ofPages, ...others];
  return publicFile(searchIndexUrl.slice(1), jsonType, Buffer.from(JSON.stringify(entries)));
}

/** What is not text of the page, or says nothing outside its table. */
const withoutText =
  /<(nav|form|noscript|button|thead|article|figure)\b.*?<\/\1>|<(?:a class="button|p class="next")[^>]*>.*?<\/[ap]>/gs;

/** Where a line begins. A field is on one line with its description, code with its language. */
const lineStart =
  /(?<!<\/span>\n|class="hint language">[^<]*<\/p>\n)(?=<(?:h[1-5]|p|li|tr|pre|summary|\/table|\/ul)\b)/;

/** The ends of parts that are on the same line. */
const partEnd = /<\/t[hd]>|<\/span>\n(?=<p>)|<\/p>\n(?=<pre)/;

/** A title, or an element with an address. */
const named = /<(h1(?=>)|(?:h[23]|code|span)(?= id=))(?: id="([^"]+)")?[^>]*>(.*?)<\/\1>/s;

function entriesOf(address: string, page: string): SearchEntry[] {
  const main = page.slice(page.indexOf('<h1'), page.indexOf('</main>')).replaceAll(withoutText, '');
  const entries: SearchEntry[] = [];
  let title = '';
  let section = entries[0];
  let entry = entries[0];
  for (const markup of main.split(lineStart)) {
    const [element = '', tag = '', id = '', content = ''] = named.exec(markup) ?? [];
    if (element !== '') {
      const term = textOf(content);
      const href = id === '' ? address : `${address}#${id}`;
      const isHeading = tag.startsWith('h');
      // The fields around a field are in its id.
      const around = id.split('.').slice(1, -1).join('.');
      const place = isHeading ? title : [section?.term, around].filter(Boolean).join(': ');
      entry = { term, place, href, weight: isHeading ? 1 : 0.5, lines: [] };
      entries.push(entry);
      if (isHeading) section = entry;
      if (tag === 'h1') title = term;
    } else if (/^<(?:h4|\/)/.test(markup)) entry = section;
    entry?.lines.push(...linesOf(markup.replace(element, '')));
  }
  return entries;
}

/** The lines of code; of other markup the sentences. Table cells are on one line. */
function linesOf(markup: string): string[] {
  const text = markup.split(partEnd).map(textOf).filter(Boolean).join(' · ');
  const lines = markup.includes('<pre')
    ? text.split('\n')
    : text.replaceAll(/\s+/g, ' ').split(/(?<=\.) (?=[A-Z])/);
  return lines.map((line) => line.trim()).filter((line) => /\p{L}/u.test(line));
}

function textOf(markup: string): string {
  return decodeHTMLStrict(markup.replace(/<[^>]*>/g, '')).trim();
}
