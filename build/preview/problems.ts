import { countSeverities, type Diagnostic, type Location } from '../check/diagnostic.ts';
import { placeOf } from '../content/file.ts';
import type { Range } from '../content/positions.ts';
import { codeFrame, painter } from '../report/code-frame.ts';
import { count, visible, visibleLines } from '../report/wording.ts';
import { type Html, html } from '../site/html.ts';
import { questionId } from '../site/paper/question.ts';
import { mayName, paperUrl, questionIndex } from './paper.ts';

/**
 * Finds the problems of a paper and the questions that they belong to: by JSON pointer, by diagram, or, if another file
 * contradicts this one, by line. Diagrams that no question names are on the first page.
 *
 * @param path of the paper's file
 * @param questions their lines and texts in that file
 * @returns problems of the file as a whole, or of no known question; those of questions by their index
 */
export function problemsOf(
  diagnostics: readonly Diagnostic[],
  path: string,
  questions: readonly {
    readonly lines: Pick<Range, 'line' | 'endLine'>;
    readonly text: string;
  }[],
) {
  const ofFile: Diagnostic[] = [];
  const ofQuestions = questions.map((): Diagnostic[] => []);
  const shift = path.slice(0, path.lastIndexOf('/'));
  for (const diagnostic of diagnostics) {
    for (const question of questionsOf(diagnostic))
      (ofQuestions[question] ?? ofFile).push(diagnostic);
  }
  return { ofFile, ofQuestions };

  /** The questions of a problem; -1 is the file as a whole. */
  function questionsOf({ file, pointer, related = [] }: Diagnostic): number[] {
    if (file === path) return [questionIndex(pointer) ?? -1];
    if (file.startsWith(`${shift}/diagrams/`)) {
      const name = file.slice(`${shift}/diagrams/`.length);
      return questions.flatMap(({ text }, index) => (mayName(text, name) ? [index] : []));
    }
    const lines = related.filter((place) => place.file === path).map(({ line }) => line);
    return [...new Set(lines.map(questionAt))];
  }

  function questionAt(line: number): number {
    return questions.findIndex(({ lines }) => lines.line <= line && line <= lines.endLine);
  }
}

/** Where on a page problems are shown. */
interface ProblemContext {
  /** The file of the page, if it is of one; other files are named. */
  readonly path?: string;
  /** Whether the lines around a problem are unfolded. */
  readonly open: boolean;
  /** Columns of those lines; a narrower page scrolls them. */
  readonly columns: number;
}

/** Lists problems, each with its rule, message, suggestion and position; empty if there are none. */
export function problemList(diagnostics: readonly Diagnostic[], context: ProblemContext): Html {
  if (diagnostics.length === 0) return html``;
  return html`<ul class="problems">
${diagnostics.map((diagnostic) => html`<li class="problem message ${toneOf([diagnostic])}">${problem(diagnostic, context)}</li>\n`)}</ul>`;
}

/** Counts errors and warnings: `2 errors, 1 warning`; empty if there are none. */
export function problemCount(diagnostics: readonly Diagnostic[]): string {
  const { errors, warnings } = countSeverities(diagnostics);
  return [errors > 0 ? count(errors, 'error') : '', warnings > 0 ? count(warnings, 'warning') : '']
    .filter(Boolean)
    .join(', ');
}

/** The style sheet's class for the worst of these problems. */
export function toneOf(diagnostics: readonly Diagnostic[]): 'good' | 'warn' | 'bad' {
  if (diagnostics.length === 0) return 'good';
  return diagnostics.some(({ severity }) => severity === 'error') ? 'bad' : 'warn';
}

function problem(diagnostic: Diagnostic, context: ProblemContext): Html {
  const { severity, rule, message, suggestion, related = [] } = diagnostic;
  return html`<p><strong>${severity === 'error' ? 'Error' : 'Warning'}</strong> <code>${rule}</code></p>
<p class="problem-message">${visibleLines(message).join('\n')}</p>
${suggestion ? html`<p>Did you mean <code class="suggestion">${visible(suggestion)}</code>?</p>` : ''}
${position(diagnostic, diagnostic.pointer, context)}
${related.map((other) => html`<p class="problem-message">${visibleLines(other.message).join('\n')}</p>${position(other, '', context)}`)}`;
}

/** The file, unless it is the page's, and the line, which unfolds to the lines around it. */
function position(
  location: Location,
  pointer: string,
  { path, open, columns }: ProblemContext,
): Html {
  const { file, line } = location;
  const inFile = file === path ? '' : html`<p class="hint">${fileLink(file, pointer)}</p>`;
  const frame = codeFrame(location, columns, 'error', painter(false));
  // A file without text.
  if (frame.length === 0) return html`${inFile}`;
  // Inside the question, which the place on the page or the link names.
  const part = pointer.replace(/^\/(questions\/\d+(\/|$))?/, '');
  const ofPart = part === '' ? '' : html`, <code>${visible(part)}</code>`;
  return html`${inFile}<details class="where"${open ? html` open` : ''}><summary>Line ${line}${ofPart}</summary>
<pre tabindex="0" role="group" aria-label="Line ${line} of ${file}"><code>${frame.map((row) => `${row}\n`)}</code></pre></details>`;
}

/** The path of a file, with a link if it is a paper. */
function fileLink(file: string, pointer: string): Html {
  const place = placeOf(file);
  if (place.kind !== 'paper' && place.kind !== 'translation') return html`${visible(file)}`;
  const index = questionIndex(pointer);
  const question = index === undefined ? '' : `#${questionId(index)}`;
  return html`<a href="${paperUrl(place)}${question}">${visible(file)}</a>`;
}
