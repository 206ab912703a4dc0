import type { Schema } from './openapi.ts';

/** The JSON type that a TypeScript type has. A name of a component stands in its place. */
type TypeName<Value> = [Value] extends [string]
  ? 'string'
  : [Value] extends [number]
    ? 'integer'
    : [Value] extends [boolean]
      ? 'boolean'
      : [Value] extends [readonly unknown[]]
        ? 'array'
        : 'object';

/** A schema of the values of a type, as far as a compiler can tell. */
export interface SchemaOf<Value> extends Schema {
  readonly type: TypeName<Value>;
  readonly enum?: Value extends string ? readonly Value[] : never;
  readonly items?: Value extends readonly (infer Item)[] ? SchemaOf<Item> | ComponentOf<Item> : never;
}

/** The component that stands for a type; made by `component` alone. */
export interface ComponentOf<Value> extends Schema {
  readonly $ref: string;
  /** Never there: tells components of different types apart. */
  readonly stands?: (value: Value) => Value;
}

type OptionalKeys<Value> = {
  [Key in keyof Value]-?: Record<never, never> extends Pick<Value, Key> ? Key : never;
}[keyof Value];

type Fields<Value, Keys extends keyof Value> = {
  readonly [Key in Keys]-?: SchemaOf<NonNullable<Value[Key]>> | ComponentOf<NonNullable<Value[Key]>>;
};

/**
 * The schema of an object. It does not compile when the type has a field that the schema lacks, or the other
 * way about, or when a field is of another type, or may be left out in one of them alone.
 *
 * @param required the fields that every such object has, in their order
 * @param optional those that may be left out
 */
export function objectSchema<Value extends object>(
  { title, description }: { readonly title: string; readonly description: string },
  required: Fields<Value, Exclude<keyof Value, OptionalKeys<Value>>>,
  optional: Fields<Value, OptionalKeys<Value>>,
): SchemaOf<Value> {
  const properties = { ...required, ...optional };
  const schema: Schema = {
    title,
    description,
    type: 'object',
    properties,
    required: Object.keys(required),
  };
  return schema as SchemaOf<Value>;
}

/** The component of a name, for the type that its schema is of. */
export function component<Value>(name: string, _schema: SchemaOf<Value>): ComponentOf<Value> {
  return { $ref: `#/components/schemas/${name}` };
}
