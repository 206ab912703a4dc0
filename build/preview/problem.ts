import type { Diagnostic, Location } from '../check/diagnostic.ts';
import { placeOf } from '../content/find.ts';
import type { PaperPlace, ShiftPlace } from '../content/types.ts';
import { codeFrame } from '../report/code-frame.ts';
import { count, painter, visible } from '../report/wording.ts';
import { type Html, html } from '../site/html.ts';

/** Where a problem is told. */
export interface ProblemPlace {
  /** The file that the page is about; other files are named. */
  readonly path: string | undefined;
  /** JSON pointer of what the problem stands beside, which need not be said again. */
  readonly pointer: string;
  /** Whether the lines around it are shown at once. */
  readonly open: boolean;
  /** Columns that those lines may take; a page that is narrower scrolls them. */
  readonly columns: number;
}

/** Problems as a list, each with its rule, what is wrong, what would be right, and where. */
export function problemList(diagnostics: readonly Diagnostic[], place: ProblemPlace): Html {
  return html`<ul class="problems">
${diagnostics.map((diagnostic) => html`<li class="problem ${diagnostic.severity}">${problem(diagnostic, place)}</li>\n`)}</ul>`;
}

/** How many errors and warnings there are: `2 errors, 1 warning`; empty when there is none. */
export function problemCount(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  return [errors > 0 ? count(errors, 'error') : '', warnings > 0 ? count(warnings, 'warning') : '']
    .filter((words) => words !== '')
    .join(', ');
}

function problem(diagnostic: Diagnostic, place: ProblemPlace): Html {
  const { severity, rule, message, suggestion, related = [] } = diagnostic;
  return html`<p class="problem-head"><strong class="severity">${severity === 'error' ? 'Error' : 'Warning'}</strong> <code>${rule}</code></p>
<p class="problem-message">${shown(message)}</p>
${suggestion === undefined ? '' : html`<p>Did you mean <code class="suggestion">${visible(suggestion)}</code>?</p>`}
${whereabouts(diagnostic, diagnostic.pointer, place)}
${related.map((other) => html`<div class="related"><p>${shown(other.message)}</p>${whereabouts(other, '', place)}</div>`)}`;
}

/** The file, unless it is the page's own, and the line, which unfolds to the lines around it. */
function whereabouts(location: Location, pointer: string, place: ProblemPlace): Html {
  const { file, line } = location;
  const inFile = file === place.path ? '' : html`<p class="where">${fileLink(file, pointer)}</p>`;
  const frame = codeFrame(location, { width: place.columns, tone: 'error', paint: painter(false) });
  // A file without text has no lines to tell of.
  if (frame.length === 0) return html`${inFile}`;
  return html`${inFile}<details class="where"${place.open ? html` open` : ''}><summary>Line ${line}${partOf(pointer, place)}</summary>
<pre tabindex="0" role="group" aria-label="Line ${line} of ${file}"><code>${frame.map((row) => `${row}\n`)}</code></pre></details>`;
}

/** A file's path; a paper's leads to its page. */
function fileLink(file: string, pointer: string): Html {
  const place = placeOf(file);
  if (place.kind !== 'paper') return html`<span class="file">${visible(file)}</span>`;
  const index = questionIndex(pointer);
  const question = index === undefined ? '' : `#${questionId(index)}`;
  return html`<a class="file" href="${paperAddress(place)}${question}">${visible(file)}</a>`;
}

function partOf(pointer: string, place: ProblemPlace): Html {
  const part = pointer.startsWith(`${place.pointer}/`) ? pointer.slice(place.pointer.length + 1) : '';
  return part === '' ? html`` : html`, <code>${visible(part)}</code>`;
}

function shown(message: string): string {
  return message.split('\n').map(visible).join('\n');
}

/** The path of a paper's page: `/neet/2024/2024-05-05-s1/physics`. */
export function paperAddress({ exam, year, shift, subject }: PaperPlace): string {
  return addressOf(exam, year, shift, subject);
}

/** The id of a question's element on the page of its paper. @param index in the file, from 0 */
export function questionId(index: number): string {
  return `question-${index + 1}`;
}

/** The place in the file, from 0, of the question that a JSON pointer leads to or into; undefined where it does not. */
export function questionIndex(pointer: string): number | undefined {
  const [, index] = /^\/questions\/(\d+)(?:\/|$)/.exec(pointer) ?? [];
  return index === undefined ? undefined : Number(index);
}

/**
 * The path of a diagram.
 *
 * @param version changes with its bytes, so that no page shows what was there before
 */
export function diagramAddress({ exam, year, shift }: ShiftPlace, file: string, version: string): string {
  return `${addressOf(exam, year, shift, 'diagrams', file)}?v=${version}`;
}

function addressOf(...names: readonly string[]): string {
  return names.map((name) => `/${encodeURIComponent(name)}`).join('');
}
