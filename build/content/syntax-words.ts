import type { Stumble, SyntaxMistake } from './syntax.ts';

/** Says what is wrong where the parser stumbles, and marks no more of the text than that. */
export function describeMistake(text: string, stumble: Stumble): SyntaxMistake {
  const { start, end } = stumble;
  const word = text.slice(start, end);
  return (
    mergeConflict(text, start) ??
    extraComma(text, stumble) ??
    quoteInString(text, stumble) ??
    wrongNumber(text, stumble) ??
    inString(word, stumble) ??
    wrongWord(word, stumble) ?? { message: sentences[stumble.code] ?? 'This is not valid JSON.', start, end }
  );
}

/** git's marks of two versions of which nobody has chosen one. */
function mergeConflict(text: string, at: number): SyntaxMistake | undefined {
  if (!text.startsWith('<<<<<<<', at)) return undefined;
  const last = text.indexOf('\n>>>>>>>', at);
  const end = text.indexOf('\n', last < 0 ? at : last + 1);
  return {
    message: 'A merge conflict stands here: keep one of the two versions, and remove the marks.',
    start: at,
    end: end < 0 ? text.length : end,
  };
}

/** A comma with nothing behind it is the mistake, and not the bracket that follows. */
function extraComma(text: string, { code, start }: Stumble): SyntaxMistake | undefined {
  if (code !== 'PropertyNameExpected' && code !== 'ValueExpected') return undefined;
  const before = text.slice(0, start).trimEnd();
  if (!before.endsWith(',') || !/[\]},]/.test(text[start] ?? '')) return undefined;
  const comma = before.length - 1;
  return text[start] === ','
    ? { message: 'One comma belongs between two items.', start, end: start + 1 }
    : { message: 'After the last item stands no comma.', start: comma, end: comma + 1 };
}

/** A string ends, and a word stands right behind it: the quote belongs to the text. */
function quoteInString(text: string, { code, start }: Stumble): SyntaxMistake | undefined {
  if (code !== 'InvalidSymbol' || text[start - 1] !== '"' || /[;=#]/.test(text[start] ?? ''))
    return undefined;
  return {
    message: 'The text ends at this quote: a quote inside a text is written \\".',
    start: start - 1,
    end: start,
    suggestion: '\\"',
  };
}

/** `05`, `.5`, `+5`, `0x1F`: the parser stops inside some of them. */
function wrongNumber(text: string, { code, start, end }: Stumble): SyntaxMistake | undefined {
  if (code !== 'InvalidSymbol' && code !== 'CommaExpected') return undefined;
  const from = start - (/[\w.+-]*$/.exec(text.slice(Math.max(0, start - 20), start))?.[0].length ?? 0);
  const number = /^[\w.+-]*/.exec(text.slice(from, end))?.[0] ?? '';
  if (!/^[+-]?\.?\d/.test(number) || (code === 'CommaExpected' && from === start)) return undefined;
  return { message: sentences['InvalidNumberFormat'] ?? '', start: from, end: from + number.length };
}

/** The escape or the character in a string that is wrong, rather than all of the string. */
function inString(string: string, { code, start }: Stumble): SyntaxMistake | undefined {
  const message = sentences[code] ?? '';
  switch (code) {
    case 'InvalidEscapeCharacter':
    case 'InvalidUnicode': {
      const wrong = [...string.matchAll(escapes)].find(([, right]) => right === undefined);
      if (!wrong) return undefined;
      const [written] = wrong;
      const at = { message, start: start + wrong.index, end: start + wrong.index + written.length };
      return /^\\[a-zA-Z]{2}/.test(written) || code === 'InvalidEscapeCharacter'
        ? { ...at, message: sentences['InvalidEscapeCharacter'] ?? message, suggestion: `\\${written}` }
        : at;
    }
    case 'InvalidCharacter': {
      const at = string.search(control);
      return at < 0 ? undefined : { message, start: start + at, end: start + at + 1 };
    }
    default:
      return undefined;
  }
}

/** The escapes of a string; those that JSON has are captured. Of others, the letters behind them are part: `\sqrt`. */
const escapes = /\\(?:(u[0-9a-fA-F]{4}|["\\/bfnrt])|[a-zA-Z][a-zA-Z0-9]*|[\s\S]?)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u001f]/;

function wrongWord(word: string, { code, start, end }: Stumble): SyntaxMistake | undefined {
  if (code !== 'InvalidSymbol') return undefined;
  if (word.startsWith('#')) return { message: sentences['InvalidCommentToken'] ?? '', start, end };
  if (word.startsWith(';')) return { message: 'Items stand apart by commas.', start, end, suggestion: ',' };
  if (word.startsWith('=')) return { message: sentences['ColonExpected'] ?? '', start, end, suggestion: ':' };
  const [, quoted] = /^['‘’“”«»„](.*)['‘’“”«»„]$/.exec(word) ?? [];
  if (quoted !== undefined)
    return {
      message: 'Text stands in straight double quotes.',
      start,
      end,
      suggestion: JSON.stringify(quoted),
    };
  const meant = otherWords.get(word);
  return meant === undefined
    ? undefined
    : { message: sentences['InvalidSymbol'] ?? '', start, end, suggestion: meant };
}

/** The words of Python, SQL and JavaScript for JSON's own. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['TRUE', 'true'],
  ['False', 'false'],
  ['FALSE', 'false'],
  ['None', 'null'],
  ['NULL', 'null'],
  ['undefined', 'null'],
]);

const sentences: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This is no JSON value: text stands in double quotes, the words are true, false and null.',
  InvalidNumberFormat: 'This is no JSON number: write it like 12, -0.5 or 1e3.',
  PropertyNameExpected: 'A property name in double quotes belongs here.',
  ValueExpected: 'A value belongs here.',
  ColonExpected: 'A colon belongs between a property name and its value.',
  CommaExpected: 'A comma belongs between two items.',
  CloseBraceExpected: 'A closing } is missing.',
  CloseBracketExpected: 'A closing ] is missing.',
  EndOfFileExpected: 'The file should end here: something stands after its value.',
  InvalidCommentToken: 'JSON has no comments.',
  UnexpectedEndOfComment: 'JSON has no comments.',
  UnexpectedEndOfString: 'A closing " is missing on this line.',
  UnexpectedEndOfNumber: 'This number ends too early.',
  InvalidUnicode: 'This is no \\u escape: it takes four hex digits.',
  InvalidEscapeCharacter: 'This is no JSON escape: a backslash is written twice (\\\\frac for \\frac).',
  InvalidCharacter: 'A control character stands here: a line break is written \\n, a tab \\t.',
};
