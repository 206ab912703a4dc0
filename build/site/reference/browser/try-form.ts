import { element, show } from '../../browser/elements.ts';
import { type Shifts, shiftsOf, yearsOf } from './catalogue.ts';
import { Choice, type Option } from './choice.ts';
import { showAnswer, showNoAnswer } from './try-answer.ts';

const form = element('try-form', HTMLFormElement);
const endpoint = element('try-endpoint', HTMLSelectElement);
const filename = element('try-filename', HTMLInputElement);
const key = element('try-key', HTMLInputElement);
const button = form.querySelector<HTMLButtonElement>('button[type=submit]');

/** Opens the form that sends a request to this page's own service. */
export async function openForm(): Promise<void> {
  const exam = new Choice('exam', tell, () => void examChanged());
  const year = new Choice('year', tell, () => void yearChanged());
  const shift = new Choice('shift', tell, () => void yearChanged());
  const file = new Choice('file', tell);
  const choices: Readonly<Record<string, Choice>> = { exam, year, shift, file };

  async function examChanged(): Promise<void> {
    const asked = exam.value;
    const years = await yearsOf(asked);
    // Who has chosen another meanwhile is not shown these.
    if (exam.value !== asked) return;
    year.offer(years.map((value) => same(String(value))));
    await yearChanged();
  }

  async function yearChanged(): Promise<void> {
    const asked = [exam.value, year.value] as const;
    const shifts = await shiftsOf(...asked);
    if (exam.value !== asked[0] || year.value !== asked[1]) return;
    shift.offer([
      ...shifts.map((found) => same(found.shift)),
      ...shifts.map((found, index) => ({ value: `s${index + 1}`, text: `s${index + 1}: ${found.shift}` })),
    ]);
    shiftChanged(shifts);
  }

  function shiftChanged(shifts: Shifts): void {
    const named = shifts.find(({ shift: name }, index) => [name, `s${index + 1}`].includes(shift.value));
    const { subjects = [] } = named ?? shifts[0] ?? {};
    file.offer(subjects.map((subject) => same(`${subject}.json`)));
    tell();
  }

  /** The path that the form stands for. */
  function path(): string {
    return endpoint.value.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent((choices[name] ?? filename).value),
    );
  }

  /** Shows the fields of the endpoint, and the request that they make. */
  function tell(): void {
    const closed = isClosed();
    for (const field of form.querySelectorAll<HTMLElement>('[data-field]')) {
      const name = field.dataset['field'] ?? '';
      field.hidden = name === 'key' ? !closed : !endpoint.value.includes(`{${name}}`);
      choices[name]?.require(!field.hidden);
    }
    filename.required = endpoint.value.includes('{filename}');
    element('try-request', HTMLElement).textContent = `GET ${path()}`;
  }

  async function send(): Promise<void> {
    const given = isClosed() ? key.value.trim() : '';
    // Nothing of the key goes anywhere but into this one header field.
    const headers: Record<string, string> = given === '' ? {} : { Authorization: `Bearer ${given}` };
    const start = performance.now();
    let response: Response;
    try {
      response = await fetch(path(), { headers, cache: 'no-store', credentials: 'omit' });
    } catch {
      showNoAnswer(isSendable(given));
      return;
    }
    await showAnswer(response, performance.now() - start, offerDiagrams);
  }

  exam.offerAsWritten();
  endpoint.addEventListener('change', tell);
  filename.addEventListener('input', tell);
  offerToShowKey();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (button?.getAttribute('aria-disabled') === 'true') return;
    // Not `disabled`: that would take the focus away.
    button?.setAttribute('aria-disabled', 'true');
    void send().finally(() => button?.removeAttribute('aria-disabled'));
  });
  show('try-form', true);
  tell();
  await examChanged();
}

function isClosed(): boolean {
  return endpoint.selectedOptions[0]?.dataset['closed'] !== undefined;
}

/** A header field is of Latin-1 alone; what is pasted may not be. */
function isSendable(text: string): boolean {
  return /^[\x20-\xff]*$/.test(text);
}

/** Names of diagrams that an answer told, the first of them ready to send for. */
function offerDiagrams(names: readonly string[]): void {
  element('try-filenames', HTMLDataListElement).replaceChildren(
    ...names.map((name) => new window.Option(name, name)),
  );
  filename.value = names[0] ?? '';
}

function offerToShowKey(): void {
  const toggle = element('try-show-key', HTMLButtonElement);
  toggle.addEventListener('click', () => {
    const isSecret = key.classList.toggle('secret');
    toggle.textContent = isSecret ? 'Show' : 'Hide';
    toggle.setAttribute('aria-pressed', String(!isSecret));
  });
}

function same(value: string): Option {
  return { value, text: value };
}
