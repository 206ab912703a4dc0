/** Reads questions from rows with named values: CSV, Excel and JSON. Texts are those of the content format. */

import { marginField } from '../client/range.ts';
import { didYouMean } from '../command-line/nearest.js';
import { UserError } from '../release/user-error.ts';
import { decimalOf, type Item, keyOf } from './item.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** A row: values by the names of columns. Those of CSV and Excel are texts. */
export type Row = ReadonlyMap<string, unknown>;

/** Which column or property has a field: `question` is in `text`. */
export type Mapping = ReadonlyMap<string, string>;

/** The fields that a column or property can have. */
export const columnFields = Object.keys(vocabulary.fields);
const known = new Map(
  Object.entries(vocabulary.fields).flatMap(([field, { columns }]) =>
    columns.split(' ').map((name) => [name, field] as const),
  ),
);

/** `A`, `option A`, `option 1`, `Choice 2`, `Answer 3`. */
const optionName = '(?:(?:answer)?(?:option|choice)|opt|alternative|answer)(?:text)?';
const optionColumn = new RegExp(`^(?:${optionName})?([a-z])(?:text)?$|^${optionName}(\\d{1,2})$`);
const wrongColumn = /^(?:distractor|incorrectanswer|wronganswer|incorrectoption)(\d{1,2})$/;

/**
 * Reads `--map question=text,options=choices`.
 *
 * @throws UserError for a field that questions do not have
 */
export function mappingOf(written: string | undefined): Mapping {
  const pairs = (written ?? '').split(',').filter((pair) => pair.trim() !== '');
  return new Map(
    pairs.map((pair) => {
      const [field = '', column = ''] = pair.split(/=(.*)/s).map((part) => part.trim());
      if (!columnFields.includes(field) || column === '')
        throw new UserError(
          `--map has "${pair}". Write FIELD=COLUMN.${didYouMean(field, columnFields)} Fields: ${columnFields.join(', ')}.`,
        );
      return [field, column] as const;
    }),
  );
}

/** What columns mean. */
export interface Columns {
  /** Columns by field. */
  readonly fields: ReadonlyMap<string, string>;
  /** Columns of options in order, with the keys in their names, and of wrong options. */
  readonly options: readonly { readonly column: string; readonly key: string }[];
  readonly wrong: readonly string[];
  /** Columns that are not read. */
  readonly others: readonly string[];
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The meaning of columns, by their names and by `--map`. The first of two columns with the same meaning is read. */
export function columnsOf(names: readonly string[], mapping: Mapping): Columns {
  const found = new Map<string, string>(mapping);
  const mapped = new Set([...mapping.values()].map((path) => path.split('.')[0] ?? ''));
  const free = names.filter((name) => !mapped.has(name) && !mapped.has(name.trim()));
  // A name of ours is meant before a similar one.
  for (const isOwn of [true, false])
    for (const name of free) {
      const field = known.get(plainName(name));
      if (field === undefined || found.has(field)) continue;
      if (isOwn === (plainName(name) === field)) found.set(field, name);
    }
  // "correct" alone is the answer, beside one it is marks.
  const correct = found.get('correct');
  if (!found.has('answer') && correct !== undefined && plainName(correct) === 'correct') {
    found.set('answer', correct);
    found.delete('correct');
  }
  const taken = new Set(found.values());
  const options = free.flatMap((column) => {
    const [, letter, position] = taken.has(column)
      ? []
      : (optionColumn.exec(plainName(column)) ?? []);
    const key = letter?.toUpperCase() ?? (position && keyOf(Number(position) - 1));
    return key === undefined ? [] : [{ column, key }];
  });
  const wrong = free.filter((name) => !taken.has(name) && wrongColumn.test(plainName(name)));
  const read = new Set([...taken, ...mapped, ...wrong, ...options.map(({ column }) => column)]);
  return {
    fields: found,
    options,
    wrong,
    others: names.filter((name) => !read.has(name) && name.trim() !== ''),
  };
}

/** What is missing in a table without questions, and which columns it has. */
export function missingColumns(names: readonly string[], columns: Columns): string | undefined {
  const missing = ['question', 'answer'].filter((field) => !columns.fields.has(field));
  if (missing.length === 0) return undefined;
  const shown = names.filter((name) => name.trim() !== '').slice(0, 30);
  const list = shown.map((name) => `"${name.trim().slice(0, 60)}"`).join(', ');
  const [first = ''] = missing;
  return `There is no column for ${missing.join(' and ')}. The columns are: ${list || 'none'}. Rename one, or add --map ${first}=NAME.`;
}

/** A text as it is in a value; undefined for a list or an object. */
function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.replace(/\r\n?/g, '\n').trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

interface ReadOption {
  readonly key: string;
  readonly text: string;
  readonly isCorrect: boolean;
}

/** Reads the questions of rows. @param options whether a mistake of a number concerns all rows is seen from all of them */
export function rowItems(rows: readonly Row[], columns: Columns): Item[] {
  const read = rows.map((row) => ({ row, options: optionsOf(row, columns) }));
  const numbers = read.flatMap(({ row, options }) => {
    const written = [valueAt(row, columns.fields.get('answer'))].flat();
    const parts = written.flatMap((one) => (textOf(one) ?? '').split(/\s*[,;]\s*/));
    const isNumber = (part: string) =>
      /^\d{1,2}$/.test(part) && options.every(({ text, key }) => text !== part && key !== part);
    return options.length > 0 && parts.every(isNumber)
      ? parts.map((part) => ({ number: Number(part), count: options.length }))
      : [];
  });
  const first = numbers.some(({ number }) => number === 0) ? 0 : 1;
  const isSure = first === 0 || numbers.some(({ number, count }) => number === count);
  return read.map(({ row, options }, index) => itemOf(row, options, columns, index, first, isSure));
}

/** The value of a column, or of a path in JSON: `question.stem`, `choices[].text`. */
function valueAt(row: Row, path: string | undefined): unknown {
  if (path === undefined) return undefined;
  if (row.has(path)) return row.get(path);
  const own = [...row.keys()].find((name) => name.trim() === path);
  if (own !== undefined) return row.get(own);
  const [start = '', ...rest] = path.split('.');
  return rest.reduce(
    (value, name) => stepInto(value, name),
    stepInto(Object.fromEntries(row), start),
  );
}

function stepInto(value: unknown, step: string): unknown {
  const [, name = step, each] = /^(.*?)(\[\])?$/.exec(step) ?? [];
  const one = (from: unknown) =>
    typeof from === 'object' && from !== null && Object.hasOwn(from, name)
      ? (from as Record<string, unknown>)[name]
      : undefined;
  const found = Array.isArray(value) && !/^\d+$/.test(name) ? value.map(one) : one(value);
  return each && !Array.isArray(found) ? [found] : found;
}

function optionsOf(row: Row, columns: Columns): ReadOption[] {
  const inColumns = columns.options.flatMap(({ column, key }) => {
    const text = textOf(row.get(column)) ?? '';
    return text === '' ? [] : [{ key, text, isCorrect: false }];
  });
  const value = valueAt(row, columns.fields.get('options'));
  return inColumns.length > 0 ? inColumns : listedOptions(value);
}

/** Options in one value: a list of texts or objects, texts by keys, two lists, or a text with a line for each. */
function listedOptions(value: unknown): ReadOption[] {
  if (typeof value === 'string') {
    const list = value.trim();
    if (/^\[.*\]$/s.test(list)) {
      try {
        return listedOptions(JSON.parse(list));
      } catch {
        // Not JSON after all.
      }
    }
    const separator = ['\n', '|', ';'].find((one) => list.includes(one)) ?? '\n';
    const parts = list.split(separator).map((part) => part.trim());
    return parts.filter((part) => part !== '').map((part, index) => optionOf(part, keyOf(index)));
  }
  if (Array.isArray(value)) return value.map((one, index) => optionOf(one, keyOf(index)));
  if (typeof value !== 'object' || value === null) return [];
  const { text, label } = value as Record<string, unknown>;
  if (Array.isArray(text))
    return text.map((one, index) =>
      optionOf(one, String((Array.isArray(label) && label[index]) || keyOf(index))),
    );
  return Object.entries(value).map(([key, one]) => optionOf(one, key));
}

function optionOf(value: unknown, key: string): ReadOption {
  const text = textOf(value);
  if (text !== undefined) {
    const [, own, rest] = /^\(?([A-Za-z]|\d{1,2})[.)]\s+(.+)$/s.exec(text) ?? [];
    const isLabelled =
      own !== undefined &&
      (own.toUpperCase() === key.toUpperCase() || own === String(key.charCodeAt(0) - 64));
    return { key, text: isLabelled ? (rest ?? text) : text, isCorrect: false };
  }
  const of = new Map(Object.entries(value as object).map(([name, one]) => [plainName(name), one]));
  const pick = (...names: string[]) => names.map((name) => textOf(of.get(name))).find(Boolean);
  return {
    key: pick('key', 'id', 'label', 'letter', 'identifier') ?? key,
    text: pick('text', 'value', 'content', 'option', 'answer', 'body', 'label') ?? '',
    isCorrect: [...of].some(
      ([name, one]) =>
        /^(?:is)?(?:correct|right|answer)$/.test(name) &&
        (one === true || one === 1 || one === 'true'),
    ),
  };
}

const typeNames: readonly (readonly [RegExp, string])[] = [
  [/^(?:mcq|mc|single|radio|multiplechoice|multichoice|singlechoice|singlecorrect|choice)$/, 'mcq'],
  [
    /^(?:msq|multiple|checkbox(?:es)?|multipleanswers?|multipleresponse|multiselect|multiplecorrect|ma)$/,
    'msq',
  ],
  [/^(?:numerical|numeric|number|integer|nat|float|decimal)$/, 'numerical'],
  [/^(?:text|shortanswer|short|fillintheblanks?|fib|word|string)$/, 'text'],
];

/** Types whose options need not be written. */
const truthNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['truefalse', ['True', 'False']],
  ['tf', ['True', 'False']],
  ['boolean', ['True', 'False']],
  ['yesno', ['Yes', 'No']],
]);

function itemOf(
  row: Row,
  listed: readonly ReadOption[],
  columns: Columns,
  index: number,
  first: number,
  isSure: boolean,
): Item {
  const losses: string[] = [];
  const value = (field: string) => valueAt(row, columns.fields.get(field));
  const cell = (field: string) => textOf(value(field)) ?? '';
  const number = (field: string) => Number(cell(field).replace(',', '.').replace('−', '-'));
  for (const name of columns.others) {
    const other = row.get(name);
    if (textOf(other) !== '' && !(Array.isArray(other) && other.length === 0))
      losses.push(`columns: ${name.trim()}`);
  }
  const written = value('answer');
  const answers = (Array.isArray(written) ? written : [written])
    .map((one) => textOf(one) ?? '')
    .filter((one) => one !== '');
  const kind = plainName(cell('type'));
  const truths = truthNames.get(kind);
  const [, named = truths ? '' : cell('type').toLowerCase()] =
    typeNames.find(([pattern]) => pattern.test(kind)) ?? [];
  let options = listed.length === 0 ? listedOptions(truths) : listed;
  const wrong = [value('wrong')]
    .flat()
    .concat(columns.wrong.map((name) => row.get(name)))
    .map((one) => textOf(one) ?? '')
    .filter((one) => one !== '');
  const [only = ''] = answers;
  if (options.length === 0 && wrong.length > 0 && only !== '') {
    options = [only, ...wrong]
      .sort()
      .map((text, at) => ({ key: keyOf(at), text, isCorrect: text === only }));
    losses.push('the order of options: the file lists wrong ones apart, so they were sorted');
  }
  const marked = options.flatMap(({ isCorrect }, at) => (isCorrect ? [at] : []));
  const { positions: chosen, unknown = only } =
    marked.length > 0
      ? { positions: marked }
      : positionsOf(answers, options, first, isSure, losses);
  const joined = answers.length > 1 ? answers : [only];
  const isNumber = options.length === 0 && joined.every((one) => isDecimal(one));
  if (isNumber)
    for (const one of joined)
      if (decimalOf(one) !== one) losses.push(`answer: ${one} was written as ${decimalOf(one)}`);
  const isChoice = options.length > 0;
  const own = isNumber ? 'numerical' : 'text';
  const type = named || (isChoice ? (chosen.length > 1 ? 'msq' : 'mcq') : own);
  if (type === 'mcq' && chosen.length > 1)
    losses.push('several answers of one question: each of them scores');
  return {
    name: `Row ${index + 1}`,
    id: cell('id'),
    type,
    text: cell('question'),
    options: options.map(({ text }, at) => ({ text, isCorrect: chosen.includes(at) })),
    answers: joined.map((one) => ({
      value: one,
      below: number(marginField) || 0,
      above: number(marginField) || 0,
    })),
    ...(isChoice &&
      chosen.length === 0 &&
      unknown !== '' && { refusal: `the answer "${unknown.slice(0, 60)}" is no option` }),
    solution: cell('solution'),
    marking:
      number('correct') > 0
        ? { correct: number('correct'), incorrect: -Math.abs(number('incorrect')) || 0 }
        : undefined,
    fields: {
      ...Object.fromEntries(['number', 'section', 'topic'].map((name) => [name, cell(name)])),
      difficulty: cell('difficulty').toLowerCase(),
    },
    losses,
  };
}

/** A number as people write it: no code such as `007` or `0x10`. */
function isDecimal(text: string): boolean {
  return (
    /^[-+\u2212]?(?:0|[1-9]\d*)?(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(text) &&
    decimalOf(text) !== undefined
  );
}

/** The positions of the correct options. Says how it read an answer that may mean something else. */
function positionsOf(
  answers: readonly string[],
  options: readonly ReadOption[],
  first: number,
  isSure: boolean,
  losses: string[],
): { readonly positions: readonly number[]; readonly unknown?: string } {
  if (options.length === 0) return { positions: [] };
  const found = new Set<number>();
  for (const answer of answers) {
    const positions = positionsOfOne(answer, options, first, isSure, losses);
    if (positions.length === 0) return { positions: [], unknown: answer };
    for (const one of positions) found.add(one);
  }
  return { positions: [...found].sort((a, b) => a - b) };
}

function positionsOfOne(
  answer: string,
  options: readonly ReadOption[],
  first: number,
  isSure: boolean,
  losses: string[],
): number[] {
  const note = (as: string) => losses.push(`answer: "${answer.slice(0, 60)}" was read as ${as}`);
  const byText = options.flatMap(({ text }, at) => (text === answer ? [at] : []));
  const at = (key: string) =>
    options.findIndex((option) => option.key.toLowerCase() === key.toLowerCase());
  const [, single = ''] = /^\(?(?:option\s*)?([a-z])[.)]?$/i.exec(answer) ?? [];
  const byKey = single === '' ? at(answer) : at(single);
  const [only] = byText;
  if (byKey >= 0) {
    if (only !== undefined && only !== byKey)
      note(`the key of an option, not as the text of another`);
    return [byKey];
  }
  if (only !== undefined) {
    const number = /^\d{1,2}$/.test(answer) ? Number(answer) - first : -1;
    if (number >= 0 && number < options.length && number !== only)
      note('the text of an option, not as the number of another');
    if (byText.length > 1) note('the first of several options with this text');
    return [only];
  }
  const parts = answer.split(/\s*(?:[,;/&+\n]|\band\b)\s*|\s+/i).filter((part) => part !== '');
  const strip = (part: string) => part.replace(/^\(?(\w+)[.)]?$/, '$1');
  const keys = parts.map((part) => at(strip(part)));
  if (parts.length > 1 && keys.every((key) => key >= 0)) return keys;
  const isNumbers = parts.every((part) => /^(?:option)?\(?\d{1,2}[.)]?$/i.test(part));
  const positions = parts.map((part) => Number(part.replace(/\D/g, '')) - first);
  if (isNumbers && positions.every((one) => one >= 0 && one < options.length)) {
    if (!isSure) note(`the number of an option, from ${first}`);
    return positions;
  }
  const texts = answer
    .split(/\s*[,;|\n]\s*/)
    .map((part) => options.findIndex(({ text }) => text === part));
  if (texts.length > 1 && texts.every((one) => one >= 0)) return texts;
  const letters = Array.from(answer).map(at);
  const isRising = letters.every((one, index) => one >= 0 && one > (letters[index - 1] ?? -1));
  if (isRising && /^[A-Z]{2,}$/i.test(answer)) {
    note(`the keys ${Array.from(answer.toUpperCase()).join(', ')}`);
    return letters;
  }
  const similar = options.flatMap(({ text }, index) =>
    plainName(text) === plainName(answer) && plainName(answer) !== '' ? [index] : [],
  );
  if (similar.length !== 1) return [];
  note('the text of the option that differs only in case, spaces or signs');
  return similar;
}
