import type { Json, Member } from './json.ts';

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
