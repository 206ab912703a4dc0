import { formatNumber } from '../../report/wording.ts';
import { addCopyButton, create, element, setText, show, within } from './elements.ts';

/** Characters of a body that are shown: more are slow to render. */
const shownCharacters = 20_000;

/**
 * Shows the status, body and header fields of a response.
 *
 * @param start of the request, as `performance.now()` returns it
 * @returns the file names of the diagrams that the body names
 */
export async function showResponse(response: Response, start: number): Promise<string[]> {
  const blob = await response.blob();
  const duration = Math.round(performance.now() - start);
  const status = [response.status, response.statusText].join(' ').trim();
  showStatus(`${status}, ${duration} ms, ${formatNumber(blob.size)} bytes`, response.ok);
  const rows = Array.from(response.headers, ([field, value]) => {
    const name = create('th', { scope: 'row' }, create('code', {}, field));
    return create('tr', {}, name, create('td', {}, create('code', {}, value)));
  });
  within(element('try-headers'), 'tbody').replaceChildren(...rows);
  show('try-headers', true);
  if (blob.type.startsWith('image/')) {
    showBody(imageOf(blob, 'The requested diagram'));
    return [];
  }
  const text = await blob.text();
  const diagrams: string[] = [];
  showBody(...textOf(formatted(text, diagrams)));
  return diagrams;
}

/** Shows why there is no response. */
export function showNoResponse(reason: string): void {
  show('try-headers', false);
  showBody();
  showStatus(reason, false);
}

function showStatus(text: string, isGood: boolean): void {
  show('try-response', true);
  element('try-status').className = `message ${isGood ? 'good' : 'bad'}`;
  setText('try-status', text);
}

function showBody(...parts: readonly Node[]): void {
  element('try-body').replaceChildren(...parts);
}

function textOf(text: string): Node[] {
  if (text === '') return [];
  const code = create('code', {}, ...colored(text.slice(0, shownCharacters)));
  const block = create(
    'div',
    { className: 'sample' },
    create('p', { className: 'hint language' }, 'Body'),
    create('pre', { tabIndex: 0 }, code),
  );
  addCopyButton(block, 'body');
  if (text.length <= shownCharacters) return [block];
  const note = `The first ${formatNumber(shownCharacters)} of ${formatNumber(text.length)} characters.`;
  return [block, create('p', { className: 'hint' }, note)];
}

/** JSON with its strings, numbers and literals in the colors of the samples. */
function colored(text: string): (Node | string)[] {
  const parts = text.split(
    /("(?:[^"\\]|\\.)*":?|(?<=[ [])-?\d[\d.eE+-]*|(?<=[ [])(?:true|false|null))/,
  );
  return parts.map((part, index) => {
    if (index % 2 === 0 || part.endsWith(':')) return part;
    return create(
      'span',
      { className: part.startsWith('"') ? 'hljs-string' : 'hljs-number' },
      part,
    );
  });
}

/** Indents JSON. @param diagrams to which it adds the files of those that the JSON describes */
function formatted(text: string, diagrams: string[]): string {
  try {
    const value = JSON.parse(text, (_, part) => {
      if (part?.mediaType) diagrams.push(part.file);
      return part;
    });
    return JSON.stringify(value, undefined, 2);
  } catch {
    return text;
  }
}

/** As the source of an `img`, an SVG runs no scripts. */
function imageOf(blob: Blob, alt: string): HTMLElement {
  const src = URL.createObjectURL(blob);
  const image = create('img', { alt, src });
  image.addEventListener('load', () => URL.revokeObjectURL(src));
  return create('p', {}, image);
}
