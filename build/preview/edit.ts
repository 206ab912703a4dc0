/** Changes the questions and passages of a paper in the text of its file. Everything else stays as it is written. */
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, findNodeAtLocation, modify, type Node, parseTree } from 'jsonc-parser';
import { countProperties, jsonFile } from '../content/file.ts';
import { duplicateNames } from '../content/positions.ts';
import type { PaperPlace } from '../content/types.ts';
import { formatJson } from '../fix/json.ts';
import { UserError } from '../release/user-error.ts';

/** The lists of a paper that are edited. */
export const listNames = ['questions', 'passages'] as const;
export type ListName = (typeof listNames)[number];

/** A question, a passage, or what a paper has beside them: JSON, which may break the schema. */
export type Item = Readonly<Record<string, unknown>>;

/** A change of a paper. Indexes count from 0. */
export type Edit =
  | {
      readonly kind: 'replace';
      readonly list: ListName;
      readonly index: number;
      readonly item: Item;
    }
  /** `index` is where the item is afterwards. */
  | {
      readonly kind: 'insert';
      readonly list: ListName;
      readonly index: number;
      readonly item: Item;
    }
  | { readonly kind: 'duplicate' | 'delete'; readonly list: ListName; readonly index: number }
  | {
      readonly kind: 'move';
      readonly list: ListName;
      readonly index: number;
      readonly to: number;
    }
  /** Replaces the properties that are not lists of items; those that are missing are removed. */
  | { readonly kind: 'details'; readonly item: Item };

/** Deepest nesting that a client may send; the schema has five levels. */
const deepest = 32;

/** Whether a value that a client sent can be an item. */
export function isItem(value: unknown): value is Item {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !Number.isNaN(countProperties(value, deepest))
  );
}

/** Identifies the bytes of a file that a form was made from. */
export function versionOf(bytes: Buffer): string {
  return hash('sha256', bytes);
}

/**
 * Parses the text of a paper for editing.
 *
 * @throws UserError if it is not UTF-8, not JSON, nested too deep, or has a property twice, so that a part of it cannot
 * be replaced
 */
export function parsePaper(bytes: Buffer) {
  const file = jsonFile(bytes, '', 'paper');
  const isPlain = file.state === 'parsed' && isItem(file.value);
  if (!isPlain || duplicateNames(file.text).length > 0)
    throw new UserError(
      'The file is not valid JSON, or has a property twice. Correct it in a text editor first.',
    );
  const mark = file.byteOrderMark ? '\ufeff' : '';
  return { text: file.text, mark, value: file.value as Item };
}

/**
 * Applies an edit. A file that is formatted as `pastpaper validate --fix` formats it stays formatted; in another one,
 * only the edited item is. Values that an edit leaves as they are keep their spelling.
 *
 * @param text that JSON.parse accepts
 * @param place of the paper, after which new ids are named
 * @returns the new text, and the index of the item in its list, where it has one
 * @throws UserError when the paper has no such item, or cannot be without it
 */
export function editedText(text: string, edit: Edit, place: PaperPlace) {
  const edited = withEdit(text, edit, place);
  const isFormatted = formatJson(text, 'paper') === text;
  return { ...edited, text: isFormatted ? formatJson(edited.text, 'paper') : edited.text };
}

/** Applies an edit, without formatting what is around the item. Everything else is as in `editedText`. */
export function withEdit(text: string, edit: Edit, place: PaperPlace) {
  return edit.kind === 'details' ? withDetails(text, edit.item) : withItem(text, edit, place);
}

/** An id for a new question: after the last one, or after the paper. @param ids of the paper */
export function newId(ids: readonly string[], { exam, shift, subject }: PaperPlace): string {
  const own = `${exam}-${shift}-${subject}-`;
  // JavaScript counts numbers of at most 15 digits exactly.
  const [, prefix = own, digits = ''] = /^(.*?)(?<!\d)(\d{1,15})$/.exec(ids.at(-1) ?? '') ?? [];
  const known = new Set(ids);
  let number = Number(digits) + 1;
  const idOf = () => `${prefix}${String(number).padStart(digits.length || 2, '0')}`;
  while (known.has(idOf())) number += 1;
  return idOf();
}

/** The ids of the items of a list, without those that are no texts. */
export function idsOf(items: readonly unknown[]): string[] {
  return items.flatMap((item) => {
    const id = isItem(item) ? item['id'] : undefined;
    return typeof id === 'string' ? id : [];
  });
}

function withItem(text: string, edit: Exclude<Edit, { kind: 'details' }>, place: PaperPlace) {
  const { list, index, kind } = edit;
  const root = parseTree(text);
  const node = root && findNodeAtLocation(root, [list]);
  const items = node?.type === 'array' ? (node.children ?? []) : [];
  const old = items[index];
  if (kind === 'insert') {
    if (index > items.length) throw noItem(list, index);
    return { text: inserted(text, list, items, index, itemText(text, list, edit.item)), index };
  }
  if (!old) throw noItem(list, index);
  if (kind === 'replace') {
    const item = itemText(text, list, edit.item, old);
    return { text: spliced(text, spanOf(old), indented(item, text, old)), index };
  }
  if (kind === 'duplicate') {
    const written = text.slice(old.offset, old.offset + old.length);
    const id = findNodeAtLocation(old, ['id']);
    const value = JSON.parse(text)[list] as unknown[];
    const newOne = JSON.stringify(newId(idsOf(value), place));
    const copy = id
      ? spliced(
          written,
          { start: id.offset - old.offset, end: id.offset - old.offset + id.length },
          newOne,
        )
      : written;
    return { text: inserted(text, list, items, index + 1, copy, true), index: index + 1 };
  }
  if (kind === 'move') {
    if (!items[edit.to]) throw noItem(list, edit.to);
    const order = items.toSpliced(index, 1).toSpliced(edit.to, 0, old);
    const texts = order.map((item) => text.slice(item.offset, item.offset + item.length));
    return { text: withTexts(text, items, texts), index: edit.to };
  }
  return { text: without(text, list, items, index), index };
}

function noItem(list: ListName, index: number): UserError {
  return new UserError(`The paper has no ${list.slice(0, -1)} ${index + 1}.`);
}

function without(text: string, list: ListName, items: readonly Node[], index: number): string {
  if (items.length === 1) {
    if (list === 'questions')
      throw new UserError('A paper has at least one question. Edit this one instead.');
    return applyEdits(text, modify(text, [list], undefined, {}));
  }
  const [item, next, before] = [items[index], items[index + 1], items[index - 1]] as const;
  if (item && next) return spliced(text, { start: item.offset, end: next.offset }, '');
  if (!item || !before) return text;
  return spliced(text, { start: spanOf(before).end, end: spanOf(item).end }, '');
}

/** @param isIndented whether the new item has the indentation of the list */
function inserted(
  text: string,
  list: ListName,
  items: readonly Node[],
  index: number,
  item: string,
  isIndented = false,
): string {
  const neighbour = items[index] ?? items[index - 1];
  if (!neighbour) {
    const options = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: eolOf(text) } };
    return applyEdits(text, modify(text, [list], [JSON.parse(item)], options));
  }
  const eol = `${eolOf(text)}${indentationOf(text, neighbour)}`;
  const written = isIndented ? item : indented(item, text, neighbour);
  const { start, end } = spanOf(neighbour);
  return items[index]
    ? spliced(text, { start, end: start }, `${written},${eol}`)
    : spliced(text, { start: end, end }, `,${eol}${written}`);
}

function withTexts(text: string, items: readonly Node[], texts: readonly string[]): string {
  let result = '';
  let end = 0;
  for (const [index, item] of items.entries()) {
    result += text.slice(end, item.offset) + texts[index];
    end = item.offset + item.length;
  }
  return result + text.slice(end);
}

function withDetails(text: string, item: Item) {
  const isDetail = (name: string) => !listNames.some((list) => list === name);
  const before: Item = JSON.parse(text);
  const names = new Set([...Object.keys(before), ...Object.keys(item)].filter(isDetail));
  let edited = text;
  for (const name of names)
    if (!isDeepStrictEqual(before[name], item[name]))
      edited = applyEdits(edited, modify(edited, [name], item[name], {}));
  return { text: edited, index: 0 };
}

/** The formatted text of an item. @param old whose values keep their spelling where they are the same */
function itemText(text: string, list: ListName, item: Item, old?: Node): string {
  const members = Object.entries(item).map(([name, value]) => {
    const node = old?.type === 'object' ? findNodeAtLocation(old, [name]) : undefined;
    const written = node && text.slice(node.offset, node.offset + node.length);
    const isSame = written !== undefined && isDeepStrictEqual(JSON.parse(written), value);
    return `${JSON.stringify(name)}:${isSame ? written : JSON.stringify(value)}`;
  });
  const formatted = formatJson(`{"${list}":[{${members}}]}`, 'paper');
  const root = parseTree(formatted);
  const node = root && findNodeAtLocation(root, [list, 0]);
  const { start, end } = node ? spanOf(node) : { start: 0, end: 0 };
  return formatted.slice(start, end);
}

/** A formatted item with the indentation and line breaks of another one of the file. */
function indented(item: string, text: string, other: Node): string {
  return item.replaceAll('\n    ', `${eolOf(text)}${indentationOf(text, other)}`);
}

/** The space before an item that begins its line. */
function indentationOf(text: string, { offset }: Node): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^\s*$/.test(line) ? line : '';
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function spanOf({ offset, length }: Node): Span {
  return { start: offset, end: offset + length };
}

function spliced(text: string, { start, end }: Span, part: string): string {
  return text.slice(0, start) + part + text.slice(end);
}
