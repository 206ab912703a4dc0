import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { type BracketMistake, bracketMistake } from './brackets.ts';
import type { Stretch } from './duplicate-names.ts';
import { describeMistake } from './syntax-words.ts';

export interface SyntaxMistake extends Stretch {
  readonly message: string;
  /** What belongs in the place of the stretch. */
  readonly suggestion?: string;
  /** The bracket that is not closed, where the mistake shows only far behind it. */
  readonly open?: Stretch;
}

/** What the parser stumbles over. */
export interface Stumble extends Stretch {
  readonly code: string;
}

/** A text of no JSON at all has thousands of mistakes, of which nobody wants to read more. */
const most = 1000;

/** Mistakes of a single word: they are there whatever is wrong with the brackets around it. */
const ofOneWord: ReadonlySet<string> = new Set([
  'InvalidSymbol',
  'InvalidNumberFormat',
  'InvalidCommentToken',
  'UnexpectedEndOfComment',
  'UnexpectedEndOfString',
  'UnexpectedEndOfNumber',
  'InvalidUnicode',
  'InvalidEscapeCharacter',
  'InvalidCharacter',
]);

/** The mistakes in a text that `JSON.parse` refused, one for each thing that the writer did wrong. */
export function syntaxMistakes(text: string): SyntaxMistake[] {
  const brackets = bracketMistake(text);
  const stumbles = stumblesOf(text).filter(({ code, start }) => {
    // Behind a bracket that is missing, the parser takes everything for something else.
    if (brackets) return ofOneWord.has(code) || start < firstOffset(brackets);
    return true;
  });
  const found = withoutFollowing(text, stumbles).map((stumble) => describeMistake(text, stumble));
  const ofBrackets = brackets && describeBrackets(brackets);
  if (ofBrackets && !found.some(({ end }) => isNear(text, end, ofBrackets.start))) found.push(ofBrackets);
  if (found.length === 0) return [{ message: 'This is not valid JSON.', start: 0, end: 0 }];
  return found.sort((a, b) => a.start - b.start);
}

function firstOffset(mistake: BracketMistake): number {
  return (mistake.kind === 'unclosed' ? mistake.open : mistake.found).start;
}

function stumblesOf(text: string): Stumble[] {
  const stumbles: Stumble[] = [];
  const onError = (error: ParseErrorCode, start: number, length: number) => {
    stumbles.push({ code: printParseErrorCode(error), start, end: start + length });
    if (stumbles.length === most) throw new Enough();
  };
  try {
    visit(text, { onError }, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  } catch (error) {
    // Nested deeper than the parser's stack.
    if (!(error instanceof RangeError || error instanceof Enough)) throw error;
  }
  return stumbles;
}

class Enough extends Error {}

/**
 * Less what the parser stumbles over where it still lies from the mistake before: on the same line, or at
 * the first word of the next one; and less all of a merge conflict but its beginning.
 */
function withoutFollowing(text: string, stumbles: readonly Stumble[]): Stumble[] {
  let end = -1;
  let reach = -1;
  return stumbles.filter((stumble) => {
    const { code, start } = stumble;
    if (end >= 0 && (start < reach || isNear(text, end, start) || code === 'EndOfFileExpected')) {
      end = Math.max(end, stumble.end);
      return false;
    }
    // A comma that is missing shows at the first word of the next line, which has nothing to do with it.
    end =
      code === 'CommaExpected' && isFirstOfLine(text, start) ? text.lastIndexOf('\n', start) : stumble.end;
    reach = describeMistake(text, stumble).end;
    return true;
  });
}

/** On the same line, or at the first word of the next line that holds one. */
function isNear(text: string, end: number, start: number): boolean {
  const between = text.slice(end, start);
  const lineBreak = between.indexOf('\n');
  return lineBreak < 0 || between.slice(lineBreak).trim() === '';
}

function isFirstOfLine(text: string, at: number): boolean {
  return text.slice(text.lastIndexOf('\n', at) + 1, at).trim() === '';
}

function describeBrackets(mistake: BracketMistake): SyntaxMistake {
  if (mistake.kind === 'extra') {
    const { text, start, end } = mistake.found;
    return { message: `This ${text} closes nothing: remove it.`, start, end };
  }
  const { open, found } = mistake;
  const bracket = open.text === '{' ? '}' : ']';
  return found.start === found.end
    ? {
        message: `The text ends here, and a ${bracket} is missing.`,
        start: found.start,
        end: found.end,
        open: { start: open.start, end: open.end },
      }
    : {
        message: `Nothing closes this ${open.text}: a ${bracket} is missing.`,
        start: open.start,
        end: open.end,
      };
}
