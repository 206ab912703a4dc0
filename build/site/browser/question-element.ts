/** An element to answer a question in, whatever has rendered the question. */
import { score } from '../../client/score.ts';
import type { Question } from '../../release/resources.ts';
import { Html, html } from '../html.ts';

/** What answering depends on. */
export type Answerable = Pick<Question, 'id' | 'type' | 'answer'> &
  Parameters<typeof score>[0] & { readonly options: readonly { readonly key: string }[] };

/** Without a browser, there are no elements. */
const Base: typeof HTMLElement = globalThis.HTMLElement ?? class {};

/**
 * A question to answer. Events, which bubble: `pastpaper-answer` when the reader chose or typed a response,
 * `pastpaper-check` when the response was checked; `detail` is `{id, response, marks}`, marks only for the latter.
 */
export abstract class QuestionElement extends Base {
  #asked: Answerable | undefined;

  /** The response in the form of `answer`; empty if there is none. */
  get response(): string {
    const chosen = [...this.querySelectorAll<HTMLInputElement>('input[name]:checked')];
    const typed = this.querySelector<HTMLInputElement>('input[name][type=text]');
    return typed ? typed.value.trim() : chosen.map(({ value }) => value).join(',');
  }

  /** Shows the answer and the solution, below what `status` says. */
  protected abstract reveal(status: Element): void;

  /** Makes the options of the rendered question controls, or adds a field. */
  protected ask(question: Answerable): void {
    this.#asked = question;
    const { id, type, options } = question;
    const name = `response-${id}`;
    const list = this.querySelector('ul.options');
    const choices = [...(list?.children ?? [])].map((item, index) => {
      const kind = type === 'mcq' ? 'radio' : 'checkbox';
      const control = html`<label><input type="${kind}" name="${name}" value="${options[index]?.key}"> ${new Html(item.innerHTML)}</label>`;
      return html`<li>${control}</li>\n`;
    });
    const form = document.createElement('form');
    form.innerHTML =
      html`<fieldset><legend>${type === 'msq' ? 'Choose all correct options' : 'Your answer'}</legend>
${
  list
    ? html`<ul class="${list.className}" role="list" dir="${list.getAttribute('dir') ?? 'auto'}">${choices}</ul>`
    : html`<label>${type === 'numerical' ? 'Number' : 'Text'}
<input type="text" name="${name}" autocomplete="off"${type === 'numerical' && html` inputmode="decimal"`}></label>`
}</fieldset>
<button>Check</button>
<div role="status"></div>`.text;
    if (list) list.replaceWith(form);
    else {
      const content = this.querySelector('.question') ?? this;
      content.insertBefore(form, content.querySelector(':scope > .solution'));
    }
    form.addEventListener('input', () => this.#send('pastpaper-answer'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#check(question, form);
    });
  }

  #check(question: Answerable, form: HTMLFormElement): void {
    const status = form.querySelector('[role=status]');
    const { response } = this;
    if (!status || response === '') {
      if (status) status.textContent = 'Choose or type an answer first.';
      return;
    }
    const isRight = score({ ...question, marking: { correct: 1 } }, response) === 1;
    const verdict = isRight ? 'Correct.' : 'Not correct.';
    const text = document.createElement('p');
    text.className = isRight ? 'message good' : 'message warn';
    text.textContent = question.dropped ? 'Withdrawn: not scored.' : verdict;
    status.replaceChildren(text);
    this.reveal(status);
    this.#send('pastpaper-check', score(question, response));
  }

  #send(name: string, marks?: number): void {
    const detail = { id: this.#asked?.id, response: this.response, marks };
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  }
}
