import { element, say, show, within } from '../../browser/elements.ts';

/** Characters of a body that are shown: a page of more is of no use to a reader, and slow. */
const shownCharacters = 20_000;

/** Header fields that say something about the answer; the others carry it. */
const telling = [
  'Content-Type',
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
  'WWW-Authenticate',
  'ETag',
  'Cache-Control',
  'Vary',
];

let pictureUrl: string | undefined;

/**
 * Shows an answer: its status, what its header says, its body.
 *
 * @param took milliseconds
 * @param onDiagrams is told the names of the diagrams that a question file names
 */
export async function showAnswer(
  response: Response,
  took: number,
  onDiagrams: (names: readonly string[]) => void,
): Promise<void> {
  const blob = await response.blob();
  const status = [response.status, response.statusText].join(' ').trim();
  tell(`${status}, ${blob.size.toLocaleString('en')} bytes in ${Math.round(took)} ms`, response.ok);
  const rows = telling.flatMap((field) => {
    const value = response.headers.get(field);
    return value === null ? [] : [headerRow(field, value)];
  });
  within(element('try-headers', HTMLTableElement), 'tbody', HTMLElement).replaceChildren(...rows);
  show('try-headers', true);
  if (blob.type.startsWith('image/')) {
    showBody(picture(blob));
    return;
  }
  const text = await blob.text();
  showBody(...textParts(formatted(text)));
  if (response.ok) onDiagrams(diagramNames(text));
}

/** Says that there was no answer. @param isSendable whether a browser sends such a key at all */
export function showNoAnswer(isSendable: boolean): void {
  show('try-headers', false);
  showBody();
  tell(
    isSendable
      ? 'No answer: check your connection, or try again in a moment.'
      : 'Nothing was sent: the key holds characters that no key has.',
    false,
  );
}

function tell(text: string, isGood: boolean): void {
  show('try-answer', true);
  element('try-answer', HTMLElement).dataset['state'] = isGood ? 'good' : 'bad';
  say('try-status', text);
}

function headerRow(field: string, value: string): HTMLTableRowElement {
  const row = document.createElement('tr');
  const name = document.createElement('th');
  name.scope = 'row';
  name.append(code(field));
  row.append(name);
  row.insertCell().append(code(value));
  return row;
}

function code(text: string): HTMLElement {
  const written = document.createElement('code');
  written.textContent = text;
  return written;
}

function showBody(...parts: readonly Node[]): void {
  if (pictureUrl !== undefined) URL.revokeObjectURL(pictureUrl);
  pictureUrl = undefined;
  const shown = parts.map((part) => {
    if (part instanceof HTMLImageElement) pictureUrl = part.src;
    return part;
  });
  element('try-body', HTMLElement).replaceChildren(...shown);
}

/** An image fetched with a key; as the source of an element it runs nothing, whatever an SVG holds. */
function picture(blob: Blob): HTMLImageElement {
  const image = new Image();
  image.alt = 'The diagram that was answered';
  image.src = URL.createObjectURL(blob);
  return image;
}

function textParts(text: string): Node[] {
  if (text === '') return [];
  const shown = document.createElement('pre');
  shown.className = 'code';
  shown.tabIndex = 0;
  shown.append(code(text.slice(0, shownCharacters)));
  if (text.length <= shownCharacters) return [shown];
  const note = document.createElement('p');
  note.className = 'hint';
  note.textContent = `The first ${shownCharacters.toLocaleString('en')} of ${text.length.toLocaleString('en')} characters.`;
  return [shown, note];
}

/** JSON over several lines; anything else as it is. */
function formatted(text: string): string {
  const value = parse(text);
  return value === undefined ? text : JSON.stringify(value, undefined, 2);
}

function diagramNames(text: string): string[] {
  const { questions } = (parse(text) ?? {}) as {
    readonly questions?: readonly { readonly diagrams: readonly { readonly file: string }[] }[];
  };
  return (questions ?? []).flatMap(({ diagrams }) => diagrams.map(({ file }) => file));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
