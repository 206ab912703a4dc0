/** The index of the search: every term that the pages of the docs have an address for. */
import { jsonType, type Output } from '../compile/response.ts';
import { publicFile } from './assets.ts';
import { type SearchEntry, searchIndexUrl } from './text.ts';

/** Makes the index of pages: their titles, headings, and every field, header field and message with an anchor. */
export function searchIndex(outputs: readonly Output[]): Output {
  const pages = outputs.filter(({ mediaType }) => mediaType.startsWith('text/html'));
  const entries = pages.flatMap(({ path, body }) => entriesOf(`/${path}/`, body.toString()));
  return publicFile(searchIndexUrl.slice(1), jsonType, Buffer.from(JSON.stringify(entries)));
}

function entriesOf(address: string, page: string): SearchEntry[] {
  let title = '';
  let heading = '';
  const terms = page.matchAll(/<(h1|h2|h3|code|span)(?: id="([^"]+)")?>(.*?)<\/\1>/gs);
  return Array.from(terms).flatMap(([, tag, id, markup = '']): SearchEntry[] => {
    const term = textOf(markup);
    if (tag === 'h1') {
      title = heading = term;
      return [[term, '', address]];
    }
    if (id === undefined) return [];
    if (!tag?.startsWith('h')) {
      // The fields around a field are in its id.
      const around = id.split('.').slice(1, -1).join('.');
      return [[term, around === '' ? heading : `${heading}: ${around}`, `${address}#${id}`]];
    }
    heading = term;
    return [[term, title, `${address}#${id}`]];
  });
}

/** Returns the text of markup that `html` made. */
function textOf(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .trim();
}
