/** `/docs/render.mjs`: renders questions as pages of the site do, and an element to answer them. */
import { score } from '../../client/score.ts';
import type { ServedPassage, ServedQuestion } from '../../release/resources.ts';
import { Html, html } from '../html.ts';
import { questionContent, type ShowDiagram } from '../paper/question.ts';

/** How a question is shown. */
interface RenderOptions {
  /** The URL of a diagram: a function, or a table by the names of files. Default: `diagrams/{file}`. */
  readonly diagram?: Readonly<Record<string, string>> | ((file: string) => string) | undefined;
  /** The passage that the question belongs to. */
  readonly passage?: ServedPassage | undefined;
  /** `true` shows the answer, `false` leaves it and the solution out; they are folded if undefined. */
  readonly answer?: boolean | undefined;
  /** The language of the texts (BCP 47), if the question does not say. */
  readonly lang?: string | undefined;
}

/**
 * Renders a question as HTML with MathML. It needs no style sheet, font or script, and is safe for `innerHTML`: whatever the
 * question contains, there are no scripts, and no styles that reach beyond it.
 */
export function render(question: ServedQuestion, options: RenderOptions = {}): string {
  return content(question, options).text;
}

function content(
  question: ServedQuestion,
  {
    diagram = (file) => `diagrams/${encodeURIComponent(file)}`,
    passage,
    answer,
    lang,
  }: RenderOptions,
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
    facts: [],
    output: 'mathml',
  })}</div>`;
}

/** What `render.mjs` is imported for outside browsers: `render` alone. */
const Base: typeof HTMLElement = globalThis.HTMLElement ?? class {};

/**
 * `<pastpaper-question>`: a question to answer. Set `question`, and `diagram` and `passage` if it has them, as for `render`.
 * It has no shadow root: style it as you like. Events, which bubble: `pastpaper-answer` when the reader chose or typed a
 * response, `pastpaper-check` when the response was checked; `detail` is `{id, response, marks}`, marks only for the latter.
 */
export class PastpaperQuestion extends Base {
  diagram: RenderOptions['diagram'];
  passage: ServedPassage | undefined;
  #question: ServedQuestion | undefined;

  get question(): ServedQuestion | undefined {
    return this.#question;
  }

  set question(question: ServedQuestion | undefined) {
    this.#question = question;
    this.#show();
  }

  /** The response in the form of `answer`; empty if there is none. */
  get response(): string {
    const chosen = [...this.querySelectorAll<HTMLInputElement>('input[name]:checked')];
    const typed = this.querySelector<HTMLInputElement>('input[name][type=text]');
    return typed ? typed.value.trim() : chosen.map(({ value }) => value).join(',');
  }

  #show(): void {
    const question = this.#question;
    if (!question) {
      this.replaceChildren();
      return;
    }
    const { id, type, options } = question;
    const parts = document.createElement('template');
    parts.innerHTML = content(question, { ...this.#options(), answer: false }).text;
    const name = `response-${id}`;
    const list = parts.content.querySelector('ul.options');
    const field = document.createElement('form');
    const choices = [...(list?.children ?? [])].map((item, index) => {
      const kind = type === 'mcq' ? 'radio' : 'checkbox';
      const control = html`<label><input type="${kind}" name="${name}" value="${options[index]?.key}"> ${new Html(item.innerHTML)}</label>`;
      return html`<li>${control}</li>\n`;
    });
    field.innerHTML =
      html`<fieldset><legend>${type === 'msq' ? 'Choose all correct options' : 'Your answer'}</legend>
${
  choices.length > 0
    ? html`<ul class="options" role="list">${choices}</ul>`
    : html`<label>${type === 'numerical' ? 'Number' : 'Text'}
<input type="text" name="${name}" autocomplete="off"${type === 'numerical' && html` inputmode="decimal"`}></label>`
}</fieldset>
<button>Check</button>
<div role="status"></div>`.text;
    if (list) list.replaceWith(field);
    else parts.content.querySelector('.question')?.append(field);
    field.addEventListener('input', () => this.#send('pastpaper-answer'));
    field.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#check(field);
    });
    this.replaceChildren(parts.content);
  }

  #options(): RenderOptions {
    return { diagram: this.diagram, passage: this.passage };
  }

  #check(field: HTMLFormElement): void {
    const question = this.#question;
    const status = field.querySelector('[role=status]');
    if (!question || !status) return;
    const { response } = this;
    if (response === '') {
      status.textContent = 'Choose or type an answer first.';
      return;
    }
    const isRight = score({ ...question, marking: { correct: 1 } }, response) === 1;
    const verdict = question.dropped
      ? 'Withdrawn: not scored.'
      : isRight
        ? 'Correct.'
        : 'Not correct.';
    const solution = document.createElement('template');
    solution.innerHTML = content(question, { ...this.#options(), answer: true }).text;
    const shown = solution.content.querySelectorAll('dl.answer, details.solution');
    status.replaceChildren(
      Object.assign(document.createElement('p'), { textContent: verdict }),
      ...shown,
    );
    this.#send('pastpaper-check', score(question, response));
  }

  #send(name: string, marks?: number): void {
    const detail = { id: this.#question?.id, response: this.response, marks };
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  }
}

globalThis.customElements?.define('pastpaper-question', PastpaperQuestion);
