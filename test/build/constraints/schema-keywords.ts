/** Keywords that reject values. */
const constraining = new Set([
  'additionalProperties',
  'const',
  'enum',
  'format',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'oneOf',
  'pattern',
  'type',
  'uniqueItems',
]);

/** Keywords that reject nothing themselves: annotations, and references to definitions, which are visited separately. */
const describing = new Set([
  ...['$id', '$ref', '$schema', 'description', 'discriminator', 'if', 'title'],
  // For editors.
  ...['defaultSnippets', 'enumDescriptions'],
]);

type Schema = Record<string, unknown>;

/**
 * Pointers to all constraints of a schema. `required` has one for each name.
 *
 * @throws Error at an unknown keyword, so that no constraint is missed
 */
export function constraintsOf(schema: unknown, at = ''): string[] {
  return Object.entries(schema as Schema).flatMap(([keyword, value]) => {
    const pointer = `${at}/${keyword}`;
    if (keyword === 'additionalProperties' && typeof value === 'object') return constraintsOf(value, pointer);
    if (constraining.has(keyword)) return [pointer];
    if (describing.has(keyword)) return [];
    switch (keyword) {
      case 'required':
        return (value as string[]).map((name) => `${pointer}/${name}`);
      case 'items':
      case 'else':
        return constraintsOf(value, pointer);
      case 'properties':
      case '$defs':
        return Object.entries(value as Schema).flatMap(([name, inner]) =>
          constraintsOf(inner, `${pointer}/${name}`),
        );
      default:
        throw new Error(`${pointer}: is this a constraint?`);
    }
  });
}

/** Removes constraints from a schema, in place. */
export function removeConstraints(schema: Schema, constraints: readonly string[]): Schema {
  for (const pointer of constraints) {
    const names = pointer.split('/').slice(1);
    const keyword = names.pop() ?? '';
    const holder = names.reduce<unknown>((inner, name) => (inner as Schema)[name], schema);
    if (Array.isArray(holder)) holder.splice(holder.indexOf(keyword), 1);
    else delete (holder as Schema)[keyword];
  }
  return schema;
}
