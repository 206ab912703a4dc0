import { formulasOf } from '../content/formulas.ts';
import { type Entity, findEntities } from '../content/text.ts';
import type { Json, Member, Shape } from './json.ts';

/** The properties whose texts people read. All others are for machines, and stay to the letter. */
const readByPeople: ReadonlySet<string> = new Set(['label', 'question', 'topic', 'value', 'alt']);

/**
 * A value with its properties in order, texts that people read repaired, and options sorted. Properties that
 * the shape does not know stay as they are, behind those that it knows; so does a value of the wrong type.
 */
export function repaired(value: Json, shape: Shape): Json {
  if (value.type === 'array') {
    const { items } = shape;
    return items ? { ...value, items: value.items.map((item) => repaired(item, items)) } : value;
  }
  return value.type === 'object' ? { ...value, members: repairedMembers(value.members, shape) } : value;
}

function repairedMembers(members: readonly Member[], { properties }: Shape): Member[] {
  const names = [...properties.keys()];
  const rank = ({ name }: Member) => (properties.has(name) ? names.indexOf(name) : names.length);
  const sortsOptions = answerNamesKeys(members);
  return members
    .map(({ name, value }) => {
      const shape = properties.get(name);
      if (!shape) return { name, value };
      if (value.type === 'string' && readByPeople.has(name))
        return { name, value: { ...value, value: repairedText(value.value) } };
      const inner = repaired(value, shape);
      return { name, value: name === 'options' && sortsOptions ? sortedByKey(inner) : inner };
    })
    .toSorted((a, b) => rank(a) - rank(b));
}

/** Where the answer is something else, a position perhaps, the order of the options may mean something. */
function answerNamesKeys(members: readonly Member[]): boolean {
  const answer = members.find(({ name }) => name === 'answer')?.value;
  return answer?.type === 'string' && /^[A-Z](,[A-Z])*$/.test(answer.value);
}

/** Options by their keys, if each has one of its own, a capital letter. */
function sortedByKey(options: Json): Json {
  if (options.type !== 'array') return options;
  const keyed = options.items.map((option) => ({ option, key: keyOf(option) }));
  const keys = new Set(keyed.map(({ key }) => key));
  if (keys.has('') || keys.size < keyed.length) return options;
  return {
    ...options,
    items: keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ option }) => option),
  };
}

/** An option's key; '' where it has none that is a capital letter. */
function keyOf(option: Json): string {
  if (option.type !== 'object') return '';
  const key = option.members.find(({ name }) => name === 'key')?.value;
  return key?.type === 'string' && /^[A-Z]$/.test(key.value) ? key.value : '';
}

/** A part of a text: the LaTeX of one formula, or the prose between two. */
interface Piece {
  readonly text: string;
  readonly isFormula: boolean;
}

/**
 * A text that people read, in Unicode NFC and with characters in the place of HTML entities.
 *
 * Entities stay where more than one thing may be meant, for a person to decide. They all stay in a text that
 * holds one encoded twice (`&amp;lt;`), a tag that is written out or would appear (`&lt;b&gt;`), or a `$`
 * without its other. Elsewhere one stays if its character would begin a formula or have another meaning in
 * one (`&#36;`, and in formulas `&amp;` or `&percnt;`), or could not be seen (`&#0;`, `&zwj;`).
 */
export function repairedText(text: string): string {
  // First, since U+037E becomes the `;` that ends an entity.
  const composed = text.normalize('NFC');
  return withoutEntities(composed) ?? composed;
}

/** @returns undefined when the text is better left alone */
function withoutEntities(text: string): string | undefined {
  if (!text.includes('&')) return text;
  const pieces = piecesOf(text);
  if (!pieces || holdsTag(pieces)) return undefined;
  const decoded = pieces.map(decode);
  const result = decoded
    .map((piece) => piece.text)
    .join('')
    .normalize('NFC');
  const kept = decoded.reduce((sum, piece) => sum + piece.kept, 0);
  return findEntities(result).length > kept || holdsTag(decoded) ? undefined : result;
}

/** What begins as a tag or a comment does in HTML (13.2.5.6), and ends; in formulas `<` is a sign like others. */
function holdsTag(pieces: readonly Piece[]): boolean {
  const prose = pieces.map((piece) => (piece.isFormula ? ' ' : piece.text)).join('');
  return /<[a-z/!?][^<>]*>/i.test(prose);
}

function piecesOf(text: string): Piece[] | undefined {
  const { formulas, openAt } = formulasOf(text);
  if (openAt >= 0) return undefined;
  const pieces: Piece[] = [];
  let at = 0;
  for (const { tex, start, end } of formulas) {
    pieces.push({ text: text.slice(at, start), isFormula: false }, { text: tex, isFormula: true });
    at = end;
  }
  return [...pieces, { text: text.slice(at), isFormula: false }];
}

function decode(piece: Piece): Piece & { readonly kept: number } {
  const hasOneReading = piece.isFormula ? readingInFormula(piece.text) : readingInProse;
  let text = '';
  let at = 0;
  let kept = 0;
  for (const entity of findEntities(piece.text)) {
    // `\&` is LaTeX for the character itself.
    const isEscaped = piece.text[entity.start - 1] === '\\';
    if (isEscaped || unseen.test(entity.decoded) || !hasOneReading(entity)) {
      kept += 1;
      continue;
    }
    text += piece.text.slice(at, entity.start) + entity.decoded;
    at = entity.end;
  }
  return { ...piece, text: text + piece.text.slice(at), kept };
}

/** Characters that cannot be seen, or that nobody agrees on; U+FFFD is what a broken number comes to. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\uFFFD]/u;

function readingInProse({ decoded }: Entity): boolean {
  return !/[$\\]/.test(decoded);
}

/**
 * In LaTeX a letter or `@` may go on a command, and these signs are not read as themselves. Between \begin and
 * \end a lone `&` parts columns, so that `&or;` may be a word behind one.
 */
function readingInFormula(tex: string): (entity: Entity) => boolean {
  const hasColumns = tex.includes('\\begin');
  return ({ text, decoded }) =>
    !/[$\\{}&#^_%~@A-Za-z]/.test(decoded) && (!hasColumns || /^&(?:#.*|lt|gt);$/i.test(text));
}
