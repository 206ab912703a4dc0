import { createScanner, type SyntaxKind } from 'jsonc-parser';
import type { Stretch } from './duplicate-names.ts';

/** What is wrong with the brackets of a text. */
export type BracketMistake =
  /** Another bracket closes, or the text ends, before this one is closed. */
  | { readonly kind: 'unclosed'; readonly open: Bracket; readonly found: Stretch }
  /** Nothing is open that this one could close. */
  | { readonly kind: 'extra'; readonly found: Bracket };

export interface Bracket extends Stretch {
  /** `{`, `}`, `[` or `]`. */
  readonly text: string;
}

const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/**
 * The first mistake in how the brackets of a JSON text are nested, those in its strings and comments aside;
 * undefined when there is none. A bracket that does not fit is one too many, or one before it is missing: it
 * is taken for whichever leaves the rest of the text in better order.
 */
export function bracketMistake(text: string): BracketMistake | undefined {
  const brackets = bracketsOf(text);
  if (brackets.length === most) return undefined;
  const { open, at } = unfit(brackets, 0, []);
  const found = brackets[at];
  const last = open.at(-1);
  if (!found) {
    const end = text.trimEnd().length;
    return last && { kind: 'unclosed', open: last, found: { start: end, end } };
  }
  if (!last) return { kind: 'extra', found };
  const withoutIt = unfit(brackets, at + 1, [...open]);
  const withTheOther = unfit(brackets, at, open.slice(0, -1));
  const isExtra =
    withoutIt.at === withTheOther.at
      ? withoutIt.open.length < withTheOther.open.length
      : withoutIt.at > withTheOther.at;
  return isExtra ? { kind: 'extra', found } : { kind: 'unclosed', open: last, found };
}

/** How far the brackets fit, from the one with this index on, and which are open there. */
function unfit(
  brackets: readonly Bracket[],
  from: number,
  open: Bracket[],
): { readonly at: number; readonly open: readonly Bracket[] } {
  for (let at = from; at < brackets.length; at += 1) {
    const bracket = brackets[at];
    if (!bracket) break;
    if (bracket.text in closing) open.push(bracket);
    else if (closing[open.at(-1)?.text ?? ''] === bracket.text) open.pop();
    else return { at, open };
  }
  return { at: brackets.length, open };
}

/** The scanner's mark for the end of the text; its names for marks exist in types alone. */
const endOfText: SyntaxKind = 17;

/** A text of more brackets is no paper, and would fill the memory. */
const most = 500_000;

function bracketsOf(text: string): Bracket[] {
  const scanner = createScanner(text, true);
  const brackets: Bracket[] = [];
  while (scanner.scan() !== endOfText && brackets.length < most) {
    const start = scanner.getTokenOffset();
    const bracket = text[start] ?? '';
    if ('{}[]'.includes(bracket)) brackets.push({ text: bracket, start, end: start + 1 });
  }
  return brackets;
}
