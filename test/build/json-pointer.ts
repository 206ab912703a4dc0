/** A copy of a value with another one at a JSON pointer; undefined removes it. */
export function withValue(file: unknown, pointer: string, value: unknown): unknown {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = names.pop();
  if (last === undefined) return value;
  const copy = structuredClone(file);
  let parent = copy as Record<string, unknown>;
  for (const name of names) parent = parent[name] as Record<string, unknown>;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

/** A value and every value inside it, with its JSON pointer, and its name if it is a property. */
export function* valuesOf(
  value: unknown,
  pointer = '',
  name?: string,
): Generator<[string, unknown, string?]> {
  yield name === undefined ? [pointer, value] : [pointer, value, name];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const escaped = key.replaceAll('~', '~0').replaceAll('/', '~1');
    yield* valuesOf(inner, `${pointer}/${escaped}`, Array.isArray(value) ? undefined : key);
  }
}
