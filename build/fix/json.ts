import { readFileSync } from 'node:fs';
import { type Node, parseTree } from 'jsonc-parser';

/**
 * Formats a content file: indented by two spaces, a short list of plain values on one line, each option on one line, lines
 * that end in LF. Properties are in schema order, unknown ones last; options are sorted by key. Numbers keep their spelling,
 * which JSON.parse would lose.
 *
 * @param text that JSON.parse accepts
 * @throws RangeError when it is nested deeper than the stack holds
 */
export function formatJson(text: string, kind: FormattedKind): string {
  const root = parseTree(text);
  if (!root) throw new SyntaxError('This is not JSON.');
  return `${valueText(root, text, shapes[kind], '\n')}\n`;
}

/**
 * @param source the text of the file
 * @param lineBreak with the indentation of the line on which the value begins
 * @param name of the property that has the value, or the list around it
 */
function valueText(
  node: Node,
  source: string,
  shape: Shape,
  lineBreak: string,
  name?: string,
): string {
  switch (node.type) {
    case 'string':
      return quoted(node.value);
    case 'array':
      return listText(node, source, shape.items ?? {}, lineBreak, name);
    case 'object':
      return objectText(node, source, shape, lineBreak, name);
    default:
      return source.slice(node.offset, node.offset + node.length);
  }
}

const longestList = 160;

function listText(
  { children = [] }: Node,
  source: string,
  shape: Shape,
  lineBreak: string,
  name?: string,
): string {
  const inner = `${lineBreak}  `;
  const texts = children.map((item) => valueText(item, source, shape, inner, name));
  const line = `[${texts.join(', ')}]`;
  if (children.every(isPlain) && line.length <= longestList) return line;
  return `[${inner}${texts.join(`,${inner}`)}${lineBreak}]`;
}

function objectText(
  node: Node,
  source: string,
  { properties }: Shape,
  lineBreak: string,
  name?: string,
): string {
  const names = [...(properties?.keys() ?? [])];
  const rank = (member: Member) =>
    names.includes(member.name) ? names.indexOf(member.name) : names.length;
  const members = membersOf(node);
  if (members.length === 0) return '{}';
  const inner = `${lineBreak}  `;
  const texts = members
    .toSorted((a, b) => rank(a) - rank(b))
    .map((member) => {
      const shape = properties?.get(member.name);
      const isSorted = shape && member.name === 'options' && !isOrderMeant(members, properties);
      const value = isSorted ? sortedByKey(member.value) : member.value;
      return `${quoted(member.name)}: ${valueText(value, source, shape ?? {}, inner, member.name)}`;
    });
  return name === 'options' && members.every(({ value }) => isPlain(value))
    ? `{ ${texts.join(', ')} }`
    : `{${inner}${texts.join(`,${inner}`)}${lineBreak}}`;
}

interface Member {
  readonly name: string;
  readonly value: Node;
}

function membersOf({ type, children = [] }: Node): Member[] {
  if (type !== 'object') return [];
  return children.flatMap(({ children: [name, value] = [] }) =>
    name && value ? [{ name: name.value, value }] : [],
  );
}

function propertyOf(members: readonly Member[], name: string): unknown {
  return members.find((member) => member.name === name)?.value.value;
}

function isPlain({ type }: Node): boolean {
  return type !== 'array' && type !== 'object';
}

/** Whether the answer may be a position of an option. A translation has no answers. */
function isOrderMeant(members: readonly Member[], properties: Shape['properties']): boolean {
  return (
    properties?.has('answer') === true &&
    !/^[A-Z](,[A-Z])*$/.test(`${propertyOf(members, 'answer')}`)
  );
}

/** Options by their keys, if each has a different one, a capital letter. */
function sortedByKey(options: Node): Node {
  if (options.type !== 'array') return options;
  const keyed = (options.children ?? []).map((option) => ({
    option,
    key: `${propertyOf(membersOf(option), 'key')}`,
  }));
  const keys = new Set(keyed.map(({ key }) => key));
  if (keys.size < keyed.length || ![...keys].every((key) => /^[A-Z]$/.test(key))) return options;
  const sorted = keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return { ...options, children: sorted.map(({ option }) => option) };
}

/** Characters that no editor shows, or that break lines or change the direction of writing, except the two joiners. */
const unseen = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** A string's JSON, with escapes only for characters that need one or are invisible. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(unseen, escaped);
}

function escaped(character: string): string {
  const units = character.split('');
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

/** The order of properties that a schema gives. */
interface Shape {
  readonly properties?: ReadonlyMap<string, Shape> | undefined;
  /** The shape of the items, if it is a list. */
  readonly items?: Shape | undefined;
}

/** The part of a JSON Schema that has the order of properties. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const shapes = {
  exam: readShape('exam.schema.json'),
  shift: readShape('shift.schema.json'),
  paper: readShape('subject-file.schema.json'),
  translation: readShape('translation.schema.json'),
} as const;

export type FormattedKind = keyof typeof shapes;

function readShape(file: string): Shape {
  return shapeOf(readSchema(file), file);
}

function readSchema(file: string): Schema {
  return JSON.parse(readFileSync(new URL(`../../content/schema/${file}`, import.meta.url), 'utf8'));
}

/** @param file that has the schema, in which references without a file are resolved */
function shapeOf({ $ref, properties = {}, items }: Schema, file: string): Shape {
  if ($ref !== undefined) {
    const [other = '', name = ''] = $ref.split('#/$defs/');
    return shapeOf(readSchema(other || file).$defs?.[name] ?? {}, other || file);
  }
  const entries = Object.entries(properties);
  return {
    properties: new Map(entries.map(([name, schema]) => [name, shapeOf(schema, file)])),
    items: items && shapeOf(items, file),
  };
}
