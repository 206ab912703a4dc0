/** Reads questions from JSON and JSON Lines: objects whose properties are mapped to fields. */
import bounds from '../content/bounds.json' with { type: 'json' };
import { UserError } from '../release/user-error.ts';
import type { Item } from './item.ts';
import { normalized } from './source.ts';
import { columnsOf, type Mapping, missingColumns, type Row, rowItems } from './table.ts';

/**
 * Reads the questions of JSON: the first list of objects in it, or a line for each object.
 *
 * @throws UserError if it is no JSON, or has no such list
 */
export function jsonItems(text: string, mapping: Mapping): Item[] {
  const objects = objectsIn(normalized(text.replace(/^\ufeff/, '')));
  if (objects.length > bounds.importQuestions)
    throw new UserError(`The file has more than ${bounds.importQuestions} questions. Split it.`);
  const rows: Row[] = objects.map((one) => new Map(Object.entries(one)));
  const names = [...new Set(rows.slice(0, 100).flatMap((row) => [...row.keys()]))];
  const columns = columnsOf(names, mapping);
  // Options may say themselves which of them are correct.
  const isMarked = JSON.stringify(objects[0] ?? {}).match(
    /"(?:is_?)?(?:correct|right)":\s?(?:true|false)/i,
  );
  const missing = missingColumns(names, columns);
  if (missing !== undefined && !(isMarked && columns.fields.has('question')))
    throw new UserError(
      missing.replace('no column', 'no property').replace('The columns', 'The properties'),
    );
  return rowItems(rows, columns);
}

function objectsIn(text: string): object[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length < 2) throw new UserError(`This is not JSON: ${(error as Error).message}.`);
    value = lines.map((line, index) => {
      try {
        return JSON.parse(line);
      } catch {
        throw new UserError(`Line ${index + 1} is not JSON: ${line.slice(0, 60)}`);
      }
    });
  }
  const list = listIn(value, 0);
  if (!list) throw new UserError('The file has no list of objects.');
  return list;
}

/** The first list of objects, or an object of objects by their ids. */
function listIn(value: unknown, depth: number): object[] | undefined {
  const isObject = (one: unknown): one is object =>
    typeof one === 'object' && one !== null && !Array.isArray(one);
  if (Array.isArray(value)) {
    const objects = value.filter(isObject);
    return objects.length > 0 ? objects : undefined;
  }
  if (!isObject(value) || depth > 3) return undefined;
  const values = Object.values(value);
  const lists = values.filter((one) => Array.isArray(one) && one.some(isObject)) as object[][];
  const longest = lists.toSorted((a, b) => b.length - a.length)[0];
  const looksLikeQuestion = Object.keys(value).some((name) =>
    /^(?:question|stem|prompt)$/i.test(name),
  );
  if (
    looksLikeQuestion &&
    depth === 0 &&
    !Array.isArray((value as Record<string, unknown>)['questions'])
  )
    return [value];
  if (longest) return longest.filter(isObject);
  const inner = values.map((one) => listIn(one, depth + 1)).find(Boolean);
  return inner ?? (values.length > 1 && values.every(isObject) ? (values as object[]) : undefined);
}
