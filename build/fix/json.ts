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
