/** The script of the reference: the form that sends a request to the page's own service. */
import type { ExamYears, YearShifts } from '../../release/resources.ts';
import { element, onPress, onSubmit, setText, show } from './elements.ts';
import { showNoResponse, showResponse } from './response.ts';

const form = element('try-form', HTMLFormElement);
const key = element('try-key', HTMLInputElement);
const buttons = [...document.querySelectorAll<HTMLButtonElement>('[data-try]')];

/** The button of the endpoint that the form is in. */
let opener = buttons[0];

for (const button of buttons) {
  button.addEventListener('click', () => toggle(button));
  const endpoint = button.closest('section')?.getAttribute('aria-labelledby');
  // The dashboard links to the form of an endpoint.
  if (location.search === '?try' && location.hash === `#${endpoint}`) toggle(button);
}
form.addEventListener('input', showRequest);
form.addEventListener('change', async ({ target }) => {
  const { id } = target as Element;
  if (id === 'try-exam') await offerYears();
  if (id === 'try-year' || id === 'try-shift') await offerShifts();
});
onSubmit(form, send);
onPress('try-new-key', () => void createKey());

/** Moves the form into the endpoint of a button, without the response of the endpoint before; or closes it. */
function toggle(button: HTMLButtonElement): void {
  const isOpening = button.ariaExpanded === 'false';
  for (const each of buttons) each.ariaExpanded = String(each === button && isOpening);
  show('try', isOpening);
  if (!isOpening) return;
  opener = button;
  show('try-response', false);
  button.parentElement?.after(element('try'));
  showRequest();
  void offerYears();
  void offerKey();
}

/** Offers a new key to a user who is signed in: the service does not have the text of the others. */
async function offerKey(): Promise<void> {
  if (needsKey()) show('try-new-key', (await fetch('/auth/account')).ok);
}

async function createKey(): Promise<void> {
  const body = JSON.stringify({ name: 'API reference', expiresIn: 3600 });
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch('/auth/keys', { method: 'POST', headers, body });
  if (response.ok) key.value = (await response.json()).key;
  else showNoResponse('No key was created. Create one on the dashboard.');
}

/** Offers the years of the exam. */
async function offerYears(): Promise<void> {
  const requested = valueIn('exam');
  const { years } = (await getJson<ExamYears>(`/${encodeURIComponent(requested)}`)) ?? {
    years: [],
  };
  // Another exam may have been entered while waiting.
  if (valueIn('exam') !== requested) return;
  offer('year', years.map(choiceOf));
  await offerShifts();
}

/** Offers the shifts of the year, and the subject files of the shift. */
async function offerShifts(): Promise<void> {
  const path = requestPath('/{exam}/{year}');
  const { shifts } = (await getJson<YearShifts>(path)) ?? { shifts: [] };
  if (requestPath('/{exam}/{year}') !== path) return;
  offer('shift', [
    ...shifts.map(({ shift }, index) => new Option(shift, `s${index + 1}`)),
    ...shifts.map(({ shift }) => choiceOf(shift)),
  ]);
  const chosen = shifts.find(({ shift }, index) =>
    [shift, `s${index + 1}`].includes(valueIn('shift')),
  );
  const { subjects = [] } = chosen ?? shifts[0] ?? {};
  offer(
    'file',
    subjects.map((subject) => choiceOf(`${subject}.json`)),
  );
  showRequest();
}

/** Offers values of a parameter. While its field is empty, the value is its placeholder: one of those offered. */
function offer(name: string, choices: readonly HTMLOptionElement[]): void {
  element(`try-${name}-list`, HTMLDataListElement).replaceChildren(...choices);
  const input = element(`try-${name}`, HTMLInputElement);
  if (!choices.some(({ value }) => value === input.placeholder))
    input.placeholder = choices[0]?.value ?? '';
}

function choiceOf(value: string | number): HTMLOptionElement {
  return new Option(String(value), String(value));
}

function valueIn(name: string): string {
  const { value, placeholder } = element(`try-${name}`, HTMLInputElement);
  return value || placeholder;
}

/** Returns a public resource of the API, or undefined if there is none or the service cannot be reached. */
async function getJson<Resource>(path: string): Promise<Resource | undefined> {
  const response = await fetch(path, { credentials: 'omit' }).catch(() => undefined);
  return response?.ok ? response.json().catch(() => undefined) : undefined;
}

/** Shows the fields of the endpoint, and the request that they make. */
function showRequest(): void {
  for (const field of form.querySelectorAll<HTMLElement>('[data-field]')) {
    const { field: name } = field.dataset;
    field.hidden = name === 'key' ? !needsKey() : !opener?.dataset['try']?.includes(`{${name}}`);
  }
  setText('try-request', `GET ${requestPath()}`);
}

function requestPath(template = opener?.dataset['try'] ?? ''): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueIn(name)));
}

function needsKey(): boolean {
  return opener?.dataset['protected'] !== undefined;
}

async function send(): Promise<void> {
  const path = requestPath();
  const start = performance.now();
  try {
    const files = await showResponse(await request(path), start);
    if (files.length > 0) offer('filename', files.map(choiceOf));
  } catch {
    // A header field takes Latin-1 only.
    showNoResponse(
      /^[\x20-\xff]*$/.test(key.value)
        ? 'No response. Check your connection, or try again in a moment.'
        : 'Nothing was sent: the key contains invalid characters.',
    );
  }
}

/** Sends a request, with the key if the endpoint requires one. */
function request(path: string): Promise<Response> {
  const token = needsKey() ? key.value.trim() : '';
  const headers: Record<string, string> = token === '' ? {} : { Authorization: `Bearer ${token}` };
  return fetch(path, { headers, cache: 'no-store', credentials: 'omit' });
}
