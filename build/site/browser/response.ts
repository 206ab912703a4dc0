import type { QuestionFile } from '../../release/resources.ts';
import { numberOf } from '../text.ts';
import { create, element, setText, show, within } from './elements.ts';

/** Characters of a body that are shown: more are slow to render. */
const shownCharacters = 20_000;

/** The header fields that are shown. */
const shownFields = [
  'Content-Type',
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
  'WWW-Authenticate',
  'ETag',
  'Cache-Control',
  'Vary',
];

let imageUrl: string | undefined;

/**
 * Shows the status, header fields and body of a response.
 *
 * @param start of the request, as `performance.now()` returns it
 * @returns the file names of the diagrams, if the response is a question file
 */
export async function showResponse(response: Response, start: number): Promise<string[] | undefined> {
  const blob = await response.blob();
  const duration = Math.round(performance.now() - start);
  const status = [response.status, response.statusText].join(' ').trim();
  showStatus(`${status}, ${numberOf(blob.size)} bytes in ${duration} ms`, response.ok);
  const rows = shownFields.flatMap((field) => {
    const value = response.headers.get(field);
    if (value === null) return [];
    const name = create('th', { scope: 'row' }, create('code', {}, field));
    return [create('tr', {}, name, create('td', {}, create('code', {}, value)))];
  });
  within(element('try-headers', HTMLTableElement), 'tbody', HTMLElement).replaceChildren(...rows);
  show('try-headers', true);
  if (blob.type.startsWith('image/')) {
    // As the source of an `img`, an SVG runs no scripts.
    showBody(create('img', { alt: 'The requested diagram', src: URL.createObjectURL(blob) }));
    return undefined;
  }
  const text = await blob.text();
  const value = parse(text);
  showBody(...textOf(value === undefined ? text : JSON.stringify(value, undefined, 2)));
  return diagramFiles(value);
}

/** Shows why there is no response. */
export function showNoResponse(reason: string): void {
  show('try-headers', false);
  showBody();
  showStatus(reason, false);
}

function showStatus(text: string, isGood: boolean): void {
  show('try-response', true);
  element('try-status', HTMLElement).className = `message ${isGood ? 'good' : 'bad'}`;
  setText('try-status', text);
}

function showBody(...parts: readonly Node[]): void {
  const [image] = parts;
  if (imageUrl !== undefined) URL.revokeObjectURL(imageUrl);
  imageUrl = image instanceof HTMLImageElement ? image.src : undefined;
  element('try-body', HTMLElement).replaceChildren(...parts);
}

function textOf(text: string): Node[] {
  if (text === '') return [];
  const block = create('pre', { tabIndex: 0 }, create('code', {}, text.slice(0, shownCharacters)));
  if (text.length <= shownCharacters) return [block];
  const note = `The first ${numberOf(shownCharacters)} of ${numberOf(text.length)} characters.`;
  return [block, create('p', { className: 'hint' }, note)];
}

function diagramFiles(body: unknown): string[] | undefined {
  return (body as Partial<QuestionFile> | undefined)?.questions?.flatMap(({ diagrams }) =>
    diagrams.map(({ file }) => file),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
