/** Makes a form from a JSON Schema: one field for each property, so that a new property needs no change here. */
import { create } from '../../site/browser/elements.ts';

/** The part of a JSON Schema from which fields are made. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** What a form edits, by names and indexes. */
export type Value = Record<string, unknown>;

/** A form: what it edits, and what its fields call. */
export interface FormContext {
  readonly root: Schema;
  /** Texts that are suggested for a property, by its name. */
  readonly known: Readonly<Record<string, readonly string[]>>;
  readonly get: (pointer: string) => unknown;
  /** Sets a value; undefined removes it. */
  readonly set: (pointer: string, value: unknown) => void;
  /** Makes the form again, after a row was added or removed. @param focus the pointer of the field to go to */
  readonly redraw: (focus?: string) => void;
  /** The path of a diagram. */
  readonly diagramUrl: (file: string) => string;
  readonly upload: (pointer: string, file: File) => void;
}

/** Properties whose names say too little. */
const labels: Readonly<Record<string, string>> = {
  question: 'Text',
  value: 'Text',
  alt: 'Description',
  accepted: 'Accepted answers',
  dropped: 'Withdrawn',
  number: 'Printed number',
  label: 'Printed label',
  marking: 'Marks',
  lang: 'Language',
};

/** These are always shown; the others unfold. */
const firstNames = [
  'type',
  'text',
  'question',
  'options',
  'answer',
  'diagrams',
  'topic',
  'difficulty',
  'solution',
];

/** `answerRange` becomes `Answer range`. */
function labelOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return labels[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export function resolved(root: Schema, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  return { ...resolved(root, root.$defs?.[$ref.replace('#/$defs/', '')] ?? {}), ...own };
}

/** Whether answers of a type are keys of options. */
export function hasOptions(root: Schema, type: unknown): boolean {
  return root.$defs?.[String(type)]?.properties?.['options']?.maxItems !== 0;
}

/** The fields of an item: the most important ones, and the others folded. */
export function formFields(context: FormContext, schema: Schema): Node[] {
  const { get, root } = context;
  const type = get('/type');
  const isShown = ([name, { description = '' }]: readonly [string, Schema]) => {
    const [, only] = /^`(\w+)` only:/.exec(description) ?? [];
    if (get(`/${name}`) !== undefined && name !== 'options') return true;
    if (name.startsWith('$') || (only !== undefined && only !== type)) return false;
    return name !== 'options' || hasOptions(root, type);
  };
  const properties = Object.entries(schema.properties ?? {})
    .map(([name, one]) => [name, resolved(root, one)] as const)
    .filter(isShown);
  const rank = (name: string) => firstNames.indexOf(name);
  const first = properties.filter(([name]) => rank(name) >= 0);
  const others = properties.filter(([name]) => rank(name) < 0);
  const isRequired = (name: string) => schema.required?.includes(name) ?? false;
  const fieldOf = ([name, one]: readonly [string, Schema]) =>
    field(context, one, `/${name}`, isRequired(name));
  first.sort(([one], [other]) => rank(one) - rank(other));
  const shown = first
    .filter(([name]) => name !== 'answer' || schema.title !== 'Question' || !hasOptions(root, type))
    .map(fieldOf);
  if (first.length === 0) return others.map(fieldOf);
  if (others.length === 0) return shown;
  const folded = create('details', { id: 'more' }, create('summary', {}, 'More fields'));
  folded.append(...others.map(fieldOf));
  return [...shown, folded];
}

function field(
  context: FormContext,
  schema: Schema,
  pointer: string,
  isRequired: boolean,
): HTMLElement {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  if (pointer === '/options') return optionsField(context, schema);
  const items = schema.items && resolved(context.root, schema.items);
  if (items?.type === 'object') return listField(context, items, pointer);
  if (schema.type === 'object') {
    return schema.title === 'Diagram'
      ? diagramField(context, schema, pointer)
      : group(labelOf(name), pointer, fieldsOf(context, schema, pointer), schema.description);
  }
  return simpleField(context, schema, pointer, isRequired, items !== undefined);
}

function fieldsOf(context: FormContext, schema: Schema, pointer: string): HTMLElement[] {
  return Object.entries(schema.properties ?? {}).map(([name, one]) =>
    field(
      context,
      resolved(context.root, one),
      `${pointer}/${name}`,
      schema.required?.includes(name) ?? false,
    ),
  );
}

/** A fieldset, with the place for its problems. */
function group(
  legend: string,
  pointer: string,
  content: readonly Node[],
  description?: string,
): HTMLElement {
  const set = create('fieldset', {}, create('legend', {}, legend));
  if (description) set.append(create('p', { className: 'hint' }, description.replaceAll('`', '')));
  set.append(problemsAt(pointer), ...content);
  set.dataset['at'] = pointer;
  return set;
}

export function problemsAt(pointer: string): HTMLElement {
  return create('ul', { className: 'field-problems', id: `problems${pointer}` });
}

/** The id of the element in which a value is written. */
export function controlId(pointer: string): string {
  return `field${pointer}`;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function simpleField(
  { get, set, known, redraw }: FormContext,
  schema: Schema,
  pointer: string,
  isRequired: boolean,
  isList: boolean,
): HTMLElement {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  const value = get(pointer);
  const text =
    isList && Array.isArray(value) ? value.join('\n') : value === undefined ? '' : String(value);
  const control = controlOf();
  control.id = controlId(pointer);
  const hint = create('p', { className: 'hint', id: `hint${pointer}` });
  hint.textContent = isList
    ? `${schema.description ?? ''} One on each line.`.replaceAll('`', '')
    : (schema.description ?? '').replaceAll('`', '');
  // Once is enough for all options.
  if (pointer.startsWith('/options/')) hint.textContent = '';
  control.setAttribute('aria-describedby', `problems${pointer} hint${pointer}`);
  const label = create('label', { htmlFor: control.id }, labelOf(name));
  const isChecked = control instanceof HTMLInputElement && control.type === 'checkbox';
  const content: HTMLElement[] = isChecked
    ? [create('div', { className: 'actions' }, control, label)]
    : [label, control];
  const now = () => {
    set(pointer, new Date().toISOString().replace(/\.\d+/, ''));
    redraw(pointer);
  };
  if (schema.format === 'date-time') content.push(button('Set to now', now));
  const box = create('div', { className: 'field' }, ...content, problemsAt(pointer), hint);
  box.dataset['at'] = pointer;
  return box;

  function controlOf(): Control {
    if (schema.type === 'boolean' || schema.const === true) {
      const box = create('input', { type: 'checkbox', checked: value === true });
      box.addEventListener('change', () => set(pointer, box.checked || undefined));
      return box;
    }
    if (schema.enum) return choiceOf(schema.enum, schema.enumDescriptions ?? []);
    // A text without a longest length has any number of lines.
    const isLong = isList || (schema.minLength === 1 && schema.maxLength === undefined);
    const input = isLong ? create('textarea', { rows: 2 }) : create('input', { type: 'text' });
    input.value = text;
    input.dir = 'auto';
    if (!isLong) input.autocomplete = 'off';
    if (schema.type === 'number' && input instanceof HTMLInputElement) input.inputMode = 'decimal';
    input.addEventListener('input', () => set(pointer, valueIn(input.value)));
    if (known[name] && input instanceof HTMLInputElement)
      input.setAttribute('list', `known-${name}`);
    return input;
  }

  function choiceOf(values: readonly string[], descriptions: readonly string[]): HTMLSelectElement {
    const none = values.includes(text) && isRequired ? [] : [''];
    const unknown = text === '' || values.includes(text) ? [] : [text];
    const select = create('select', {});
    for (const one of [...none, ...unknown, ...values]) {
      const [title = ''] = (descriptions[values.indexOf(one)] ?? '').split('. ');
      select.append(create('option', { value: one }, title === '' ? one : `${one}: ${title}`));
    }
    select.value = text;
    select.addEventListener('change', () => {
      set(pointer, select.value || undefined);
      // The type decides which fields there are.
      redraw(pointer);
    });
    return select;
  }

  function valueIn(written: string): unknown {
    if (isList) {
      const lines = written.split('\n').filter((line) => line.trim() !== '');
      return lines.length > 0 ? lines : undefined;
    }
    if (written === '') return isRequired ? '' : undefined;
    return schema.type === 'number' && /^-?\d+(\.\d+)?$/.test(written) ? Number(written) : written;
  }
}

/** A button that is no submission. */
export function button(text: string, onClick: () => void, ariaLabel = text): HTMLButtonElement {
  const made = create('button', { type: 'button', className: 'button', ariaLabel }, text);
  made.addEventListener('click', onClick);
  return made;
}

function listField(context: FormContext, items: Schema, pointer: string): HTMLElement {
  const { get, set, redraw } = context;
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  const one = labelOf(name).replace(/s$/, '').toLowerCase();
  const isDrawn = items.title === 'Diagram';
  const value = get(pointer);
  const rows: readonly unknown[] = Array.isArray(value) ? value : [];
  const content = rows.map((_, index) => {
    const at = `${pointer}/${index}`;
    const remove = () => {
      const left = rows.filter((_, other) => other !== index);
      set(pointer, left.length > 0 ? left : undefined);
      redraw(pointer);
    };
    const fields = isDrawn ? [diagramContent(context, items, at)] : fieldsOf(context, items, at);
    const title = `${one.charAt(0).toUpperCase()}${one.slice(1)} ${index + 1}`;
    return group(title, at, [...fields, button('Remove', remove, `Remove ${one} ${index + 1}`)]);
  });
  const add = isDrawn
    ? dropPlace(context, `${pointer}/${rows.length}`)
    : button(`Add ${one}`, () => {
        set(pointer, [...rows, {}]);
        redraw(`${pointer}/${rows.length}`);
      });
  return group(labelOf(name), pointer, [...content, add]);
}

/** The diagram of an option, if it has one. */
function diagramField(context: FormContext, schema: Schema, pointer: string): HTMLElement {
  if (context.get(pointer) === undefined) {
    const place = dropPlace(context, pointer);
    place.dataset['at'] = pointer;
    return place;
  }
  const remove = () => {
    context.set(pointer, undefined);
    context.redraw();
  };
  const content = [diagramContent(context, schema, pointer), button('Remove diagram', remove)];
  return group('Diagram', pointer, content);
}

function diagramContent(context: FormContext, schema: Schema, pointer: string): HTMLElement {
  const file = context.get(`${pointer}/file`);
  const src = context.diagramUrl(String(file ?? ''));
  const image = create('img', { src, alt: '', className: 'thumbnail' });
  return create('div', { className: 'field' }, image, ...fieldsOf(context, schema, pointer));
}

/** Where an image can be chosen or dropped. Pasted ones go to the place around the cursor. */
function dropPlace({ upload }: FormContext, pointer: string): HTMLElement {
  const input = create('input', { type: 'file', accept: 'image/*', id: `file${pointer}` });
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file) upload(pointer, file);
  });
  const isOption = pointer.startsWith('/options');
  const text = `${isOption ? 'Diagram' : 'Add a diagram'}: choose, drop or paste an image`;
  const place = create(
    'div',
    { className: 'dashed' },
    create('label', { htmlFor: input.id }, text),
    input,
  );
  place.dataset['drop'] = pointer;
  return place;
}

/** The options, each with a button that makes it the answer, or one of the answers. */
function optionsField(context: FormContext, { items = {} }: Schema): HTMLElement {
  const { get, set, redraw, root } = context;
  const schema = resolved(root, items);
  const value = get('/options');
  const rows = (Array.isArray(value) ? value : []) as readonly Value[];
  const isOne = get('/type') === 'mcq';
  const answers = () =>
    String(get('/answer') ?? '')
      .split(',')
      .filter(Boolean);
  const content = rows.map((row, index) => {
    const at = `/options/${index}`;
    const key = String(row['key'] ?? '');
    const pick = create('input', {
      type: isOne ? 'radio' : 'checkbox',
      name: 'answer',
      id: `answer-${index}`,
      checked: answers().includes(key),
    });
    pick.addEventListener('change', () => {
      const others = isOne ? [] : answers().filter((one) => one !== key);
      set('/answer', [...others, ...(pick.checked ? [key] : [])].sort().join(',') || undefined);
    });
    const fields = Object.entries(schema.properties ?? {})
      .filter(([name]) => name !== 'key')
      .map(([name, one]) => field(context, resolved(root, one), `${at}/${name}`, false));
    const byName = (name: string) =>
      fields.filter(({ dataset }) => dataset['at'] === `${at}/${name}`);
    const correct = create('label', { htmlFor: pick.id }, `${key} is correct`);
    const head = create(
      'div',
      { className: 'actions' },
      pick,
      correct,
      button('Remove', () => remove(index), `Remove option ${key}`),
    );
    const others = fields.filter((one) => !byName('value').includes(one));
    const more = create('details', {}, create('summary', {}, 'Label and diagram'), ...others);
    more.open = row['label'] !== undefined || row['diagram'] !== undefined;
    return group(`Option ${key}`, at, [head, ...byName('value'), more]);
  });
  const add = () => {
    set('/options', [...rows, { key: keyAt(rows.length) }]);
    redraw(`/options/${rows.length}/value`);
  };
  const set26 = rows.length < 26 ? [button('Add option', add)] : [];
  const answerProblems = problemsAt('/answer');
  answerProblems.dataset['at'] = '/answer';
  return group('Options', '/options', [answerProblems, ...content, ...set26]);

  /** Removes an option. Those after it get the letters before theirs, in the answers, too. */
  function remove(index: number): void {
    const left = rows.filter((_, other) => other !== index);
    const renamed = new Map(left.map(({ key }, place) => [String(key), keyAt(place)]));
    const answer = answers().flatMap((key) => renamed.get(key) ?? []);
    set(
      '/options',
      left.map((row, place) => ({ ...row, key: keyAt(place) })),
    );
    set('/answer', answer.join(',') || undefined);
    redraw(`/options/${Math.min(index, left.length - 1)}/value`);
  }
}

function keyAt(index: number): string {
  return String.fromCharCode(65 + index);
}
