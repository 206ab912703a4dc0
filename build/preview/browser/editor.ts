/** The script of the preview's pages with forms: validates and renders while a person types, and saves. */
import { create, element, makeScrollersFocusable } from '../../site/browser/elements.ts';
import { applySuggestion, isSame, type Suggestion, valueAt, withValue } from './draft.ts';
import {
  button,
  controlId,
  formFields,
  hasOptions,
  problemsAt,
  resolved,
  type Schema,
  type Value,
} from './fields.ts';
import { type PaperForm, showPaperForm } from './new-paper.ts';
import { send } from './send.ts';

/** Milliseconds without a key press after which a draft is checked. */
const pause = 150;

interface ItemForm {
  readonly kind: 'insert' | 'replace' | 'details';
  readonly token: string;
  readonly path: string;
  readonly base: string;
  /** The pages of the paper and of its forms. */
  readonly back: string;
  readonly page: string;
  readonly list?: string;
  readonly index: number;
  /** `question`, `passage` or `paper`. */
  readonly name: string;
  readonly item: Value;
  readonly schema: Schema;
  readonly diagrams: string;
  readonly known: Readonly<Record<string, readonly string[]>>;
}

interface Problem {
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly pointer: string;
  readonly suggestion?: Suggestion;
}

/** What the file has of the item when it has changed. */
interface Conflict {
  readonly error: string;
  readonly base: string;
  readonly index?: number;
  readonly item?: Value;
  readonly written?: string;
}

const form = element('form', HTMLFormElement);
const data = JSON.parse(element('main').dataset['edit'] ?? '{}') as ItemForm | PaperForm;

/** Screen readers announce every change of this text, so none is made without need. */
function showState(text: string): void {
  const live = element('live');
  if (live.textContent !== text) live.textContent = text;
}

if (data.kind === 'paper') showPaperForm(form, data, showState);
else showItemForm(data);

function showItemForm({
  token,
  path,
  back,
  page,
  list,
  name,
  schema,
  diagrams,
  known,
  ...start
}: ItemForm): void {
  let { kind, base, index, item } = start;
  /** The item as it is in the file, as far as this page knows. */
  let saved: unknown = kind === 'insert' ? undefined : start.item;
  let problems: readonly Problem[] = [];
  /** Problems of a new item are shown where something was written, until it is saved. */
  const touched = new Set<string>();
  let isComplete = kind !== 'insert' && item['question'] !== '';
  let timer = 0;
  let storing = Promise.resolve(true);
  let checks = 0;
  let kept: Value = { options: ['A', 'B', 'C', 'D'].map((key) => ({ key })) };
  const first = JSON.stringify(item);
  const definition = resolved(schema, name === 'paper' ? schema : { $ref: `#/$defs/${name}` });
  const fields = create('div', { className: 'edit-fields' });
  fields.dataset['at'] = '';
  const conflict = create('section', { hidden: true, className: 'card', tabIndex: -1 });
  const isChanged = () =>
    saved === undefined ? JSON.stringify(item) !== first : !isSame(item, saved);

  const context = {
    root: schema,
    known,
    get: (pointer: string) => valueAt(item, pointer),
    set(pointer: string, value: unknown) {
      item = withValue(item, pointer, value);
      if (pointer === '/type' && name === 'question') fitOptions(value);
      touched.add(pointer);
      showState('Not saved yet.');
      clearTimeout(timer);
      timer = window.setTimeout(check, pause);
    },
    redraw: draw,
    diagramUrl: (file: string) => `${diagrams}${encodeURIComponent(file)}`,
    upload: (pointer: string, file: File) => void upload(pointer, file),
  };

  const lists = Object.entries(known).map(([name, values]) =>
    create(
      'datalist',
      { id: `known-${name}` },
      ...values.map((value) => create('option', { value })),
    ),
  );
  const save = create('button', { type: 'submit', className: 'button primary' }, 'Save');
  const next = button('Save and write the next', async () => {
    if (await store()) location.assign(`${page}?question=`);
  });
  const cancel = create('a', { href: paperLink(), className: 'button' }, 'Back to the paper');
  next.hidden = name !== 'question';
  const actions = create('div', { className: 'actions' }, save, next, cancel);
  form.append(conflict, fields, ...lists, actions);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void store();
  });
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    void store();
  });
  addEventListener('beforeunload', (event) => {
    if (isChanged()) event.preventDefault();
  });
  for (const kind of ['dragover', 'drop'] as const) form.addEventListener(kind, dropped);
  form.addEventListener('paste', (event) => {
    const [file] = event.clipboardData?.files ?? [];
    if (!file?.type.startsWith('image/')) return;
    event.preventDefault();
    const place = event.target instanceof Element ? placeFor(event.target) : undefined;
    if (place !== undefined) void upload(place, file);
  });
  draw();
  showState('Ctrl+S saves.');
  void check();

  /** The page of the paper, at the question. */
  function paperLink(): string {
    return name === 'question' ? `${back}#question-${index + 1}` : back;
  }

  /** Makes the fields again, and keeps what is open and has the focus. */
  function draw(focus?: string): void {
    const { id = '' } = document.activeElement ?? {};
    const wasOpen = document.querySelector<HTMLDetailsElement>('#more')?.open ?? false;
    fields.replaceChildren(problemsAt(''), ...formFields(context, definition));
    const more = document.querySelector<HTMLDetailsElement>('#more');
    if (more) more.open = wasOpen;
    showProblems();
    const place = focus === undefined ? id : controlId(focus);
    const target =
      document.getElementById(place) ??
      fields.querySelector<HTMLElement>(
        `[data-at="${CSS.escape(focus ?? '')}"] :is(input, textarea, select, button)`,
      );
    if (place !== '') target?.focus();
  }

  /** Gives a question options if its type has some, and keeps them for later if it has none. */
  function fitOptions(type: unknown): void {
    const { options, answer, ...others } = item;
    const isFilled = Array.isArray(options) && options.length > 0;
    if (hasOptions(schema, type) === isFilled) return;
    if (isFilled) kept = { options, answer };
    item = isFilled ? { ...others, options: [] } : { ...others, ...kept };
  }

  /** The pointer for a diagram that is given to an element: that of its option, or the next of the item. */
  function placeFor(target: Element): string | undefined {
    const around = target.closest<HTMLElement>('[data-at^="/options/"]')?.dataset['at'] ?? '';
    const [option] = /^\/options\/\d+/.exec(around) ?? [];
    const own = target.closest<HTMLElement>('[data-drop]');
    const next = fields.querySelector<HTMLElement>('[data-drop^="/diagrams"]');
    return option === undefined ? (own ?? next)?.dataset['drop'] : `${option}/diagram`;
  }

  function dropped(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    const place = event.target instanceof Element ? placeFor(event.target) : undefined;
    if (event.type === 'drop' && file && place !== undefined) void upload(place, file);
  }

  async function upload(pointer: string, image: File): Promise<void> {
    showState('The diagram is being saved.');
    const query = new URLSearchParams({ path, id: String(item['id'] ?? '') });
    const { status, body } = await send(token, `diagram?${query}`, image);
    if (status !== 200) return showState(body.error);
    context.set(pointer, { file: body['file'] });
    draw(`${pointer}/alt`);
    showState('The diagram is saved. Describe what it shows.');
  }

  function edit() {
    return kind === 'details' ? { kind, item } : { kind, list, index, item };
  }

  /** Checks the draft. What is shown belongs to the last one. */
  async function check(): Promise<void> {
    checks += 1;
    const own = checks;
    const { status, body } = await send(token, 'check', { path, edit: edit() });
    if (own !== checks) return;
    if (status === 200) showChecked(body as unknown as { html: string; problems: Problem[] });
    else showState(body.error);
  }

  function showChecked({ html, problems: found }: { html: string; problems: Problem[] }): void {
    problems = found;
    const rendered = document.getElementById('rendered');
    if (rendered) rendered.innerHTML = html;
    makeScrollersFocusable();
    showProblems();
    const { length } = fields.querySelectorAll('.field-problems li');
    if (length > 0 && isChanged())
      showState(`Not saved yet. ${length === 1 ? '1 problem' : `${length} problems`}.`);
  }

  function showProblems(): void {
    for (const old of fields.querySelectorAll('.field-problems')) old.replaceChildren();
    for (const control of fields.querySelectorAll('[aria-invalid]'))
      control.removeAttribute('aria-invalid');
    const isShown = ({ pointer }: Problem) =>
      isComplete ||
      [...touched].some(
        (one) =>
          one !== '/type' && (one === pointer || (one.startsWith(`${pointer}/`) && pointer !== '')),
      );
    for (const problem of problems.filter(isShown)) showProblem(problem);
  }

  /** Shows a problem beside the field that has its value, or the nearest around it. */
  function showProblem(problem: Problem): void {
    const { severity, message, suggestion, rule } = problem;
    let at = problem.pointer;
    while (at !== '' && !document.getElementById(`problems${at}`))
      at = at.slice(0, at.lastIndexOf('/'));
    const place = element(`problems${at}`);
    const isError = severity === 'error';
    const shown = create(
      'li',
      { className: `message ${isError ? 'bad' : 'warn'}`, title: rule },
      `${isError ? 'Error' : 'Warning'}: ${message} `,
    );
    if (suggestion) {
      const { text } = suggestion;
      const apply = button(text === '' ? 'Remove it' : `Use ${text}`, () => {
        context.set(problem.pointer, applySuggestion(context.get(problem.pointer), suggestion));
        draw(problem.pointer);
        clearTimeout(timer);
        void check();
      });
      shown.append(apply);
    }
    place.append(shown);
    if (isError) document.getElementById(controlId(at))?.setAttribute('aria-invalid', 'true');
    const folded = place.closest('details');
    if (folded) folded.open = true;
  }

  /** Saves the item, after a save that is under way. @returns whether the file has it */
  function store(): Promise<boolean> {
    storing = storing.then(storeNow);
    return storing;
  }

  async function storeNow(): Promise<boolean> {
    const sent = item;
    isComplete = true;
    showState('Saving.');
    const id = (saved as Value | undefined)?.['id'] ?? item['id'];
    const { status, body } = await send(token, 'save', { path, base, id, edit: edit() });
    if (status === 409) {
      showConflict(body as unknown as Conflict);
      return false;
    }
    if (status !== 200) {
      showState(body.error);
      return false;
    }
    ({ base, index } = body as unknown as { base: string; index: number });
    saved = sent;
    cancel.href = paperLink();
    if (kind === 'insert') {
      kind = 'replace';
      history.replaceState(null, '', `${page}?${name}=${index + 1}`);
    }
    conflict.hidden = true;
    showState(isSame(item, sent) ? 'Saved.' : 'Saved. Later changes are not saved yet.');
    void check();
    return true;
  }

  /** Shows both versions. Nothing is saved until a person has chosen one. */
  function showConflict({ error, base: now, index: found, item: theirs, written }: Conflict): void {
    const isGone = kind === 'replace' && theirs === undefined;
    const explanation = isGone
      ? `This ${name} is no longer in the file.`
      : 'Choose a version, or copy from it.';
    const keep = button('Save mine into the changed file', () => {
      base = now;
      index = found ?? index;
      if (isGone) kind = 'insert';
      void store();
    });
    const buttons = create('div', { className: 'actions' }, keep);
    if (theirs && kind !== 'insert') {
      const take = button('Use the version of the file', () => {
        base = now;
        index = found ?? index;
        item = theirs;
        saved = theirs;
        conflict.hidden = true;
        draw();
        void check();
        showState('This is the version of the file.');
      });
      buttons.append(take);
    }
    const version = (title: string, text: string) =>
      create(
        'div',
        {},
        create('h3', {}, title),
        create('pre', { tabIndex: 0 }, create('code', {}, text)),
      );
    const versions = create(
      'div',
      { className: 'columns' },
      version('Yours', JSON.stringify(item, undefined, 2)),
    );
    if (written !== undefined)
      versions.append(version('In the file', written.replaceAll('\n    ', '\n')));
    conflict.replaceChildren(
      create('h2', {}, 'The file has changed'),
      create('p', {}, `${error} ${explanation}`),
      versions,
      buttons,
    );
    conflict.hidden = false;
    conflict.focus();
    showState('Not saved: the file has changed.');
  }
}
