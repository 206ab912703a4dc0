/** An element to answer a question in, whatever has rendered the question. */
import { score } from '../../client/score.ts';
import type { Question } from '../../release/resources.ts';

/** What answering depends on. */
export type Answerable = Pick<Question, 'id'> & Parameters<typeof score>[0];

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

  /** Enables the form of the rendered question. */
  protected ask(question: Answerable): void {
    this.#asked = question;
    const form = this.querySelector('form');
    form?.addEventListener('input', () => this.#send('pastpaper-answer'));
    form?.addEventListener('submit', (event) => {
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
