/** Changes the questions and passages of a paper in the text of its file. Everything else stays as it is written. */
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, type JSONPath, modify } from 'jsonc-parser';
import { z } from 'zod';
import { countProperties, jsonFile } from '../content/file.ts';
import { duplicateNames } from '../content/positions.ts';
import type { PaperPlace } from '../content/types.ts';
import { formatJson } from '../fix/json.ts';
import { UserError } from '../release/user-error.ts';

/** The lists of a paper that are edited. */
export const listNames = ['questions', 'passages'] as const;

/** A question, a passage, or what a paper has beside them: JSON, which may break the schema. */
export type Item = Readonly<Record<string, unknown>>;

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

const index = z.int().nonnegative();
const place = { list: z.enum(listNames), index };
const item = z.custom<Item>(isItem);

/** A change of a paper. Indexes count from 0. */
export const editSchema = z.discriminatedUnion('kind', [
  // `index` is where an inserted item is afterwards.
  z.object({ kind: z.enum(['replace', 'insert']), ...place, item }),
  z.object({ kind: z.enum(['duplicate', 'delete']), ...place }),
  z.object({ kind: z.literal('move'), ...place, to: index }),
  // Replaces the properties that are not lists of items; those that are missing are removed.
  z.object({ kind: z.literal('details'), item }),
]);
export type Edit = z.infer<typeof editSchema>;

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
 * Applies an edit. A file that is formatted as `pastpaper validate --fix` formats it stays formatted; another one is not
 * formatted. Values that an edit leaves as they are keep their spelling.
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
  const { kind, list, index } = edit;
  const listed: unknown = JSON.parse(text)[list];
  const items: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const last = kind === 'insert' ? items.length : items.length - 1;
  if (index > last || (kind === 'move' && edit.to > last))
    throw new UserError(`The paper has no ${list.slice(0, -1)} ${index + 1}.`);
  const inserted = (before: string, item: unknown, at: number) => ({
    text:
      listed === items ? changed(before, [list, at], item, true) : changed(before, [list], [item]),
    index: at,
  });
  switch (kind) {
    case 'replace':
      return { text: withProperties(text, [list, index], items[index], edit.item), index };
    case 'insert':
      return inserted(text, edit.item, index);
    case 'duplicate': {
      const copy = { ...(items[index] as Item), id: newId(idsOf(items), place) };
      return inserted(text, copy, index + 1);
    }
    case 'move':
      return inserted(changed(text, [list, index], undefined), items[index], edit.to);
    default:
      if (items.length > 1) return { text: changed(text, [list, index], undefined), index };
      if (list === 'passages') return { text: changed(text, [list], undefined), index };
      throw new UserError('A paper has at least one question. Edit this one instead.');
  }
}

function withDetails(text: string, item: Item) {
  const withoutLists = (value: Item) =>
    Object.fromEntries(
      Object.entries(value).filter(([name]) => !listNames.some((list) => list === name)),
    );
  const before: Item = JSON.parse(text);
  return { text: withProperties(text, [], withoutLists(before), withoutLists(item)), index: 0 };
}

/** Changes the properties that differ. The others keep their spelling. */
function withProperties(text: string, path: JSONPath, before: unknown, item: Item): string {
  if (!isItem(before)) return changed(text, path, item);
  let edited = text;
  for (const name of new Set([...Object.keys(before), ...Object.keys(item)]))
    if (!isDeepStrictEqual(before[name], item[name]))
      edited = changed(edited, [...path, name], item[name]);
  return edited;
}

/** Sets a value in a text; undefined removes it. */
function changed(text: string, path: JSONPath, value: unknown, isArrayInsertion = false): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol };
  return applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion }));
}
