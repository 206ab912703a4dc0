/** Reads and changes values by their JSON pointers. The form's pointers have no escapes: properties are words. */
import type { Value } from './fields.ts';

/** What belongs in the place of a value, or of a part of a text (UTF-16 units). */
export interface Suggestion {
  readonly text: string;
  readonly start?: number;
  readonly end?: number;
}

/** The value that a pointer names; undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const name of pointer.split('/').slice(1))
    found = typeof found === 'object' && found !== null ? (found as Value)[name] : undefined;
  return found;
}

/** A copy with another value. Undefined removes it, and an object that is empty then, unless it is in a list. */
export function withValue(root: Value, pointer: string, value: unknown): Value {
  const names = pointer.split('/').slice(1);
  return changed(root, names) as Value;

  function changed(old: unknown, [name, ...more]: readonly string[]): unknown {
    if (name === undefined) return value;
    if (Array.isArray(old)) {
      const items = [...old];
      items[Number(name)] = changed(old[Number(name)], more);
      return items;
    }
    // A list is made for its first item.
    if (old === undefined && /^\d+$/.test(name)) return [changed(undefined, more)];
    const { [name]: before, ...others } = (
      typeof old === 'object' && old !== null ? old : {}
    ) as Value;
    const inner = changed(before, more);
    const isEmpty =
      more.length > 0 &&
      typeof inner === 'object' &&
      inner !== null &&
      !Array.isArray(inner) &&
      Object.keys(inner).length === 0;
    return inner === undefined || isEmpty ? others : { ...others, [name]: inner };
  }
}

/** A value after a suggestion was used. */
export function applySuggestion(value: unknown, { text, start, end }: Suggestion): unknown {
  if (start === undefined || end === undefined || typeof value !== 'string')
    return text === '' ? undefined : text;
  return value.slice(0, start) + text + value.slice(end);
}

/** Whether two values are the same JSON, in any order of properties. */
export function isSame(one: unknown, other: unknown): boolean {
  return sorted(one) === sorted(other);
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
