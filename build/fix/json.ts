import { readFileSync } from 'node:fs';
import { type Node, parseTree } from 'jsonc-parser';

/**
 * A JSON value as its file spells it. JSON.parse would round numbers, move a property named `1` to the front
 * and lose the first of two properties of one name.
 */
export type Json =
  /** A number, `true`, `false` or `null`, to the letter. */
  | { readonly type: 'literal'; readonly text: string }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'array'; readonly items: readonly Json[] }
  | { readonly type: 'object'; readonly members: readonly Member[] };

export interface Member {
  readonly name: string;
  readonly value: Json;
}

/**
 * @param text that JSON.parse accepts
 * @throws RangeError when it is nested deeper than the stack holds
 */
export function readJson(text: string): Json {
  const root = parseTree(text);
  if (!root) throw new SyntaxError('This is no JSON.');
  return jsonOf(root, text);
}

function jsonOf({ type, value, offset, length, children = [] }: Node, text: string): Json {
  switch (type) {
    case 'string':
      return { type, value };
    case 'array':
      return { type, items: children.map((item) => jsonOf(item, text)) };
    case 'object':
      return { type, members: children.map((property) => memberOf(property, text)) };
    default:
      return { type: 'literal', text: text.slice(offset, offset + length) };
  }
}

function memberOf({ children = [] }: Node, text: string): Member {
  const [name, value] = children;
  if (!name || !value) throw new SyntaxError('This is no JSON: a property has no value.');
  return { name: name.value, value: jsonOf(value, text) };
}

/** The property whose items stand on one line each: `{ "key": "A", "value": "metre" }`. */
const oneLineItems = 'options';

/**
 * A value as content files are formatted: indented by two spaces, a list of plain values on one line, each
 * option on one line; lines end in LF, the last one too.
 */
export function print(value: Json): string {
  return `${textOf(value, '\n')}\n`;
}

/**
 * @param lineBreak with the indentation of the line on which the value begins
 * @param holder the name of the property that has the value or, if it is an item, the list around it
 */
function textOf(value: Json, lineBreak: string, holder?: string): string {
  switch (value.type) {
    case 'literal':
      return value.text;
    case 'string':
      return quoted(value.value);
    case 'array':
      return listText(value.items, lineBreak, holder);
    case 'object':
      return objectText(value.members, lineBreak, holder);
  }
}

function listText(items: readonly Json[], lineBreak: string, holder?: string): string {
  const inner = `${lineBreak}  `;
  if (items.every(isPlain)) return `[${items.map((item) => textOf(item, inner)).join(', ')}]`;
  const texts = items.map((item) => textOf(item, inner, holder));
  return `[${inner}${texts.join(`,${inner}`)}${lineBreak}]`;
}

function objectText(members: readonly Member[], lineBreak: string, holder?: string): string {
  if (members.length === 0) return '{}';
  const inner = `${lineBreak}  `;
  const texts = members.map(({ name, value }) => `${quoted(name)}: ${textOf(value, inner, name)}`);
  return holder === oneLineItems && members.every(({ value }) => isPlain(value))
    ? `{ ${texts.join(', ')} }`
    : `{${inner}${texts.join(`,${inner}`)}${lineBreak}}`;
}

function isPlain({ type }: Json): boolean {
  return type === 'literal' || type === 'string';
}

/**
 * Characters that no editor shows, or that break lines or turn the direction of writing in one. The joiners
 * are left as they are, since emoji and the scripts of India are written with them.
 */
const unseen = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** A string's JSON, with escapes only where a character cannot stand or could not be seen. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(unseen, escaped);
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

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
