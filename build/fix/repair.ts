import { formulasOf } from '../content/formulas.ts';
import { type Entity, findEntities } from '../content/text.ts';

/** A part of a text: the LaTeX of one formula, or the prose between two. */
interface Piece {
  readonly text: string;
  readonly isFormula: boolean;
}

/**
 * Returns a text in Unicode NFC, with characters in place of HTML entities.
 *
 * Entities stay where the text may mean something else, for a person to decide. All stay in a text with an entity that is
 * encoded twice (`&amp;lt;`), a tag that is there or would appear (`&lt;b&gt;`), or an unclosed `$`. One stays if its
 * character would begin a formula, has another meaning in a formula (`&#36;`, `&amp;`, `&percnt;`), or is invisible.
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
  const joined = decoded.map((piece) => piece.text).join('');
  const result = joined.normalize('NFC');
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
