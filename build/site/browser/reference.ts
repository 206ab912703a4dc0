/** The script of the reference: code samples, and the form that sends a request to the page's own service. */
import type { ExamYears, YearShifts } from '../../release/resources.ts';
import './samples.ts';
import { ChoiceField } from './choice.ts';
import { element, show } from './elements.ts';
import { showNoResponse, showResponse } from './response.ts';

const form = element('try-form', HTMLFormElement);
const endpoint = element('try-endpoint', HTMLSelectElement);
const filename = element('try-filename', HTMLInputElement);
const key = element('try-key', HTMLInputElement);

const exam = new ChoiceField('exam');
const year = new ChoiceField('year');
const shift = new ChoiceField('shift');
const file = new ChoiceField('file');
const choiceFields: Readonly<Record<string, ChoiceField>> = { exam, year, shift, file };

form.addEventListener('input', showRequest);
form.addEventListener('change', async ({ target }) => {
  const changed = (target as Element).closest<HTMLElement>('[data-field]')?.dataset['field'];
  if (changed === 'exam') await examChanged();
  if (changed === 'year' || changed === 'shift') await yearChanged();
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});
addKeyToggle();
show('try-form', true);
showRequest();
await examChanged();

/** Offers the years of the exam. */
async function examChanged(): Promise<void> {
  const requested = exam.value;
  const { years } = (await getJson<ExamYears>(`/${encodeURIComponent(requested)}`)) ?? { years: [] };
  // Another exam may have been chosen while waiting.
  if (exam.value !== requested) return;
  year.offer(years.map(choiceOf));
  await yearChanged();
}

/** Offers the shifts of the year, and the subject files of the shift. */
async function yearChanged(): Promise<void> {
  const path = yearPath();
  const { shifts } = (await getJson<YearShifts>(path)) ?? { shifts: [] };
  if (yearPath() !== path) return;
  shift.offer([
    ...shifts.map((found) => choiceOf(found.shift)),
    ...shifts.map((found, index) => new Option(`s${index + 1}: ${found.shift}`, `s${index + 1}`)),
  ]);
  const chosen = shifts.find((found, index) => [found.shift, `s${index + 1}`].includes(shift.value));
  const { subjects = [] } = chosen ?? shifts[0] ?? {};
  file.offer(subjects.map((subject) => choiceOf(`${subject}.json`)));
  showRequest();
}

function yearPath(): string {
  return `/${encodeURIComponent(exam.value)}/${encodeURIComponent(year.value)}`;
}

function choiceOf(value: string | number): HTMLOptionElement {
  return new Option(String(value), String(value));
}

/** Returns a public resource of the API, or undefined if there is none or the service cannot be reached. */
async function getJson<Resource>(path: string): Promise<Resource | undefined> {
  try {
    const response = await fetch(path, { credentials: 'omit' });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

/** Shows the fields of the endpoint, and the request that they make. */
function showRequest(): void {
  for (const field of form.querySelectorAll<HTMLElement>('[data-field]')) {
    const name = field.dataset['field'] ?? '';
    field.hidden = name === 'key' ? !needsKey() : !endpoint.value.includes(`{${name}}`);
    choiceFields[name]?.setShown(!field.hidden);
  }
  filename.required = endpoint.value.includes('{filename}');
  element('try-request', HTMLElement).textContent = `GET ${requestPath()}`;
}

function requestPath(): string {
  return endpoint.value.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((choiceFields[name] ?? filename).value),
  );
}

function needsKey(): boolean {
  return endpoint.selectedOptions[0]?.dataset['protected'] !== undefined;
}

async function send(): Promise<void> {
  const button = form.querySelector('button[type=submit]');
  if (button?.getAttribute('aria-disabled') === 'true') return;
  // Not `disabled`, which would take the focus away.
  button?.setAttribute('aria-disabled', 'true');
  const token = needsKey() ? key.value.trim() : '';
  const headers: Record<string, string> = token === '' ? {} : { Authorization: `Bearer ${token}` };
  const start = performance.now();
  try {
    const response = await fetch(requestPath(), { headers, cache: 'no-store', credentials: 'omit' });
    offerFilenames(await showResponse(response, start));
  } catch {
    // A header field takes Latin-1 only.
    showNoResponse(
      /^[\x20-\xff]*$/.test(token)
        ? 'No response. Check your connection, or try again in a moment.'
        : 'Nothing was sent: the key contains invalid characters.',
    );
  } finally {
    button?.removeAttribute('aria-disabled');
  }
}

/** Offers the diagrams of a question file, and fills in the first. */
function offerFilenames(names: readonly string[] | undefined): void {
  if (!names) return;
  element('try-filenames', HTMLDataListElement).replaceChildren(...names.map(choiceOf));
  filename.value = names[0] ?? '';
}

function addKeyToggle(): void {
  const toggle = element('try-show-key', HTMLButtonElement);
  toggle.addEventListener('click', () => {
    const isSecret = key.classList.toggle('secret');
    toggle.textContent = isSecret ? 'Show' : 'Hide';
    toggle.setAttribute('aria-pressed', String(!isSecret));
  });
}
