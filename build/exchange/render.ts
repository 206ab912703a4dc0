/** What exports have in common: questions with their passages and marks, and texts as HTML. */
import { zipSync } from 'fflate';
import { formulasOf } from '../content/formulas.ts';
import { placedDiagrams } from '../content/markdown.ts';
import type {
  Diagram,
  Marking,
  Option,
  Passage,
  Question,
  SubjectFile,
} from '../content/written.ts';
import { Html, html } from '../site/html.ts';
import { textHtml } from '../site/paper/text.ts';

/** A question as formats without passages and shared marks have it. */
export interface ExportedQuestion extends Question {
  readonly answer: string;
  readonly marking: Marking;
  readonly shared: Passage | undefined;
  /** What the format cannot have. */
  readonly losses: Set<string>;
}

/** The questions of a paper that are scored. @param unknown fields that the format has no place for */
export function exportedQuestions(
  paper: SubjectFile,
  unknown: readonly string[],
): ExportedQuestion[] {
  return paper.questions.flatMap((question) => {
    const { answer, passage, options, marking = paper.marking ?? { correct: 1 } } = question;
    if (answer === undefined || question.dropped) return [];
    const losses = new Set<string>(unknown.filter((name) => Object.hasOwn(question, name)));
    if (options.some(({ label }) => label !== undefined)) losses.add('labels of options');
    const shared = paper.passages?.find(({ id }) => id === passage);
    if (shared?.lineNumbers) losses.add('line numbers of passages');
    return [{ ...question, answer, marking, shared, losses }];
  });
}

/** How a format writes formulas, and the addresses of images. */
export interface Renderer {
  readonly formula: (tex: string, isDisplay: boolean) => Html;
  readonly address: (file: string) => string;
}

/** Formulas as Moodle's filter for MathJax and Canvas show them. */
export function delimited(tex: string, isDisplay: boolean): Html {
  return isDisplay ? html`\\[${tex}\\]` : html`\\(${tex}\\)`;
}

/**
 * Makes a package. Its time is the earliest that a zip archive can have, so that the same paper becomes the same file.
 *
 * @param images their names, and the folder that they are in
 * @param read returns the bytes of a diagram
 */
export function packageOf(
  texts: Readonly<Record<string, Html>>,
  folder: string,
  images: Iterable<string>,
  read: (file: string) => Uint8Array,
): Uint8Array {
  const files: Record<string, Uint8Array> = {};
  for (const [path, { text }] of Object.entries(texts))
    files[path] = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`);
  for (const file of images) files[`${folder}/${file}`] = read(file);
  return zipSync(files, { mtime: new Date(1980, 0, 2) });
}

/** Stands for a formula while the Markdown around it is rendered. */
const standIn = '\ue000';

/** A text as HTML that is also XML. @param diagrams that it may place */
export function rendered(
  text: string,
  diagrams: readonly Diagram[],
  renderer: Renderer,
  isOption = false,
): Html {
  const { formulas } = formulasOf(text);
  let words = '';
  let end = 0;
  for (const { outer } of formulas) {
    words += text.slice(end, outer.start) + standIn;
    end = outer.end;
  }
  const image = (file: string, isFigure: boolean) => {
    const diagram = diagrams.find((one) => one.file === file) ?? { file };
    return isFigure ? figure(diagram, renderer) : imageHtml(diagram, renderer);
  };
  const markup = textHtml(words + text.slice(end), image, isOption).text;
  const written = formulas.map(({ tex, display }) => renderer.formula(tex, display).text);
  return new Html(
    markup.replaceAll('<br>', '<br/>').replaceAll(standIn, () => written.shift() ?? ''),
  );
}

function imageHtml({ file, alt = '' }: Diagram, { address }: Renderer): Html {
  return html`<img src="${address(file)}" alt="${alt}"/>`;
}

function figure(diagram: Diagram, renderer: Renderer): Html {
  return html`<p>${imageHtml(diagram, renderer)}</p>`;
}

/** A question after its passage. Diagrams that no text places follow their text. */
export function questionHtml(exported: ExportedQuestion, renderer: Renderer): Html {
  const { shared, question, options, solution = '', diagrams = [] } = exported;
  const elsewhere = [solution, ...options.map(({ value = '' }) => value)].flatMap(placedDiagrams);
  const block = (text: string, own: readonly Diagram[]) => {
    const placed = [...placedDiagrams(text), ...elsewhere];
    const others = own
      .filter(({ file }) => !placed.includes(file))
      .map((diagram) => figure(diagram, renderer));
    return html`<div>${rendered(text, own, renderer)}</div>${others}`;
  };
  return html`${shared ? block(shared.text, shared.diagrams ?? []) : ''}${block(question, diagrams)}`;
}

/** An option: its text, then its diagram. */
export function optionHtml(
  { value, diagram }: Option,
  diagrams: readonly Diagram[],
  renderer: Renderer,
): Html {
  const text =
    value === undefined ? '' : html`<div>${rendered(value, diagrams, renderer, true)}</div>`;
  return html`${text}${diagram ? figure(diagram, renderer) : ''}`;
}
