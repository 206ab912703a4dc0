/** `/docs/render.mjs`: renders questions as pages of the site do, and an element to answer them. */
import type { Passage, Question } from '../../release/resources.ts';
import { type Html, html } from '../html.ts';
import { questionContent, type ShowDiagram } from '../paper/question.ts';
import { QuestionElement } from './question-element.ts';

/** How a question is shown. */
interface RenderOptions {
  /** The URL of a diagram: a function, or a table by the names of files. Default: `diagrams/{file}`. */
  readonly diagram?: Readonly<Record<string, string>> | ((file: string) => string) | undefined;
  /** The passage that the question belongs to. */
  readonly passage?: Passage | undefined;
  /** `true` shows the answer, `false` leaves it and the solution out; they are folded if undefined. */
  readonly answer?: boolean | undefined;
  /** The language of the texts (BCP 47), if the question does not say. */
  readonly lang?: string | undefined;
}

/**
 * Renders a question as HTML with MathML. It needs no style sheet, font or script, and is safe for `innerHTML`: whatever the
 * question contains, there are no scripts, and no styles that reach beyond it.
 */
export function render(question: Question, options: RenderOptions = {}): string {
  return content(question, options).text;
}

function content(
  question: Question,
  {
    diagram = (file) => `diagrams/${encodeURIComponent(file)}`,
    passage,
    answer,
    lang,
  }: RenderOptions,
  isAnswerable = false,
): Html {
  const urlOf = typeof diagram === 'function' ? diagram : (file: string) => diagram[file] ?? '';
  const showDiagram: ShowDiagram = ({ file, alt, width, height }, isFigure) => {
    const url = urlOf(file);
    const isSafe = !/^[^/?#]*:/.test(url) || /^(?:https?:|blob:|data:image\/)/i.test(url);
    const image = html`<img src="${isSafe ? url : ''}" alt="${alt}" width="${width}" height="${height}">`;
    return isFigure ? html`<figure>${image}</figure>` : image;
  };
  const paper = { questions: [question], passages: passage ? [passage] : [], language: lang };
  return html`<div class="question">${questionContent(paper, question, {
    index: 0,
    id: `question-${question.id}`,
    diagram: showDiagram,
    isAnswerFolded: answer === undefined,
    isAnswerHidden: answer === false,
    isAnswerable,
    facts: [],
    output: 'mathml',
  })}</div>`;
}

/**
 * `<pastpaper-question>`: a question to answer. Set `question`, and `diagram` and `passage` if it has them, as for `render`.
 * It has no shadow root: style it as you like.
 */
export class PastpaperQuestion extends QuestionElement {
  diagram: RenderOptions['diagram'];
  passage: Passage | undefined;
  #question: Question | undefined;

  get question(): Question | undefined {
    return this.#question;
  }

  set question(question: Question | undefined) {
    this.#question = question;
    this.replaceChildren(...(question ? this.#content(question, false) : []));
    if (question) this.ask(question);
  }

  #content(question: Question, answer: boolean): Element[] {
    const { diagram, passage } = this;
    const parts = document.createElement('template');
    parts.innerHTML = content(question, { diagram, passage, answer }, !answer).text;
    return [
      ...parts.content.querySelectorAll(answer ? 'dl.answer, details.solution' : '.question'),
    ];
  }

  protected override reveal(status: Element): void {
    if (this.#question) status.append(...this.#content(this.#question, true));
  }
}

globalThis.customElements?.define('pastpaper-question', PastpaperQuestion);
