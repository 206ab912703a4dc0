import { readFileSync } from 'node:fs';

/** What a schema says of the order of a value's properties. */
export interface Shape {
  /** The shape of each property, in the order in which files have them. */
  readonly properties: ReadonlyMap<string, Shape>;
  /** Of a list: the shape of its items. */
  readonly items: Shape | undefined;
}

/** The part of a JSON Schema that tells the order of properties. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** The shapes of content files, as their schemas have them. */
export const shapes = {
  exam: readShape('exam.schema.json'),
  paper: readShape('subject-file.schema.json'),
} as const;

function readShape(file: string): Shape {
  const schema: Schema = JSON.parse(
    readFileSync(new URL(`../../content/schema/${file}`, import.meta.url), 'utf8'),
  );
  return shapeOf(schema, schema.$defs ?? {});
}

function shapeOf({ $ref, properties = {}, items }: Schema, definitions: NonNullable<Schema['$defs']>): Shape {
  if ($ref !== undefined) {
    const definition = definitions[$ref.replace('#/$defs/', '')];
    if (!definition) throw new TypeError(`The schema refers to ${$ref}, which it does not have.`);
    return shapeOf(definition, definitions);
  }
  return {
    properties: new Map(
      Object.entries(properties).map(([name, schema]) => [name, shapeOf(schema, definitions)]),
    ),
    items: items && shapeOf(items, definitions),
  };
}
