/** The script of pages with questions to answer: the element, and on a paper time, score, answers and print. */
import { score, scoreSection } from '../../client/score.ts';
import type { FormSection } from '../../release/resources.ts';
import { announce, create, element, onPress, setText, within } from './elements.ts';
import { type Answerable, QuestionElement } from './question-element.ts';

/** A question of the page. Its attribute has what the markup does not say. */
class PageQuestion extends QuestionElement {
  readonly asked: Answerable & { readonly subject: string; readonly section?: string } = JSON.parse(
    this.dataset['question'] ?? '',
  );

  connectedCallback(): void {
    this.ask(this.asked);
  }

  get solution(): HTMLDetailsElement | null {
    return this.querySelector<HTMLDetailsElement>('details.solution');
  }

  protected override reveal(): void {
    if (this.solution) this.solution.open = true;
  }
}

customElements.define('pastpaper-question', PageQuestion);
const questions = [...document.querySelectorAll<PageQuestion>('pastpaper-question')];
const controls = document.querySelector<HTMLElement>('.controls');
if (controls) enablePaper(controls);

function enablePaper({ dataset }: HTMLElement): void {
  const links = [...document.querySelectorAll<HTMLElement>('.by-number a')];
  document.addEventListener('pastpaper-answer', ({ target }) => {
    const index = questions.indexOf(target as PageQuestion);
    links[index]?.toggleAttribute('data-answered', questions[index]?.response !== '');
  });
  const sections: readonly FormSection[] = JSON.parse(dataset['sections'] ?? '[]');
  onPress('score', () => setText('result', resultOf(sections)));
  onPress('timer', () => startTimer(Number(dataset['minutes']), sections));
  onPress('print', printPaper);
  const answers = element('answers', HTMLInputElement);
  answers.addEventListener('change', () => {
    for (const { solution } of questions) if (solution) solution.open = answers.checked;
  });
}

/** The marks by the rules of the exam, or the sum of those of the questions if the bank has none. */
function resultOf(sections: readonly FormSection[]): string {
  const asked = questions.map((question) => question.asked);
  const responses = Object.fromEntries(
    questions.map(({ asked, response }) => [asked.id, response]),
  );
  const marks = sections.length
    ? sections.map((section) => {
        const ofSubject = asked.filter(({ subject }) => subject === section.subject);
        return scoreSection(section, ofSubject, responses);
      })
    : asked.map((question) => score(question, responses[question.id]));
  const answered = Object.values(responses).filter(Boolean).length;
  const sum = marks.reduce((total, one) => total + one, 0);
  return `${sum} of ${element('marks').textContent}, ${answered} answered`;
}

let timer: ReturnType<typeof setInterval> | undefined;

/** Counts down from the duration of the paper. Then it shows the score. */
function startTimer(minutes: number, sections: readonly FormSection[]): void {
  const end = Date.now() + minutes * 60_000;
  const show = () => {
    const seconds = Math.max(0, Math.round((end - Date.now()) / 1000));
    setText('time', `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`);
    if (seconds > 0) return;
    clearInterval(timer);
    announce(`Time is up: ${resultOf(sections)}.`);
  };
  clearInterval(timer);
  timer = setInterval(show, 1000);
  show();
}

/** Prints the questions, and on pages of their own the key and the solutions, as the reader chose. */
function printPaper(): void {
  const { value } = element('print-with', HTMLSelectElement);
  const entries = questions.flatMap(({ solution, asked }) => {
    const number = document.querySelector(`[data-id="${asked.id}"]`)?.textContent ?? '';
    return solution ? [{ number, solution }] : [];
  });
  const key = entries.map(({ number, solution }) =>
    create('p', {}, `${number}  `, within(solution, 'dd').textContent ?? ''),
  );
  const solutions = entries.flatMap(({ number, solution }) =>
    [...solution.querySelectorAll('.set')].map((text) =>
      create('div', { className: 'question' }, create('b', {}, number), text.cloneNode(true)),
    ),
  );
  const heading = (text: string) => create('h2', {}, text);
  element('printed-key').replaceChildren(...(value === '' ? [] : [heading('Answer key'), ...key]));
  element('printed-solutions').replaceChildren(
    ...(value === 'solutions' ? [heading('Solutions'), ...solutions] : []),
  );
  print();
}
