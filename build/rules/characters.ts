import { type Formula, formulaFinder } from '../content/formulas.ts';
import { byteOf, decodeWindows1252 } from '../content/text.ts';
import type { Finding, TextRule } from './rule.ts';

export const mojibake: TextRule = {
  name: 'mojibake',
  description:
    'Texts were never UTF-8 that something read as Windows-1252 or Latin-1 (Ã© for é), and lost no character on the way (U+FFFD).',
  severity: 'error',
  example: { wrong: '"topic": "SchrÃ¶dinger equation"', right: '"topic": "Schrödinger equation"' },
  concerns: /[\u00c2\u00c3\u00ce-\u00d1\u00e0\u00e2\u00ef\u00f0][\u0080-\uffff]|\ufffd/,
  *check({ path, pointer, text }) {
    for (const { 0: found, index: start } of text.matchAll(broken)) {
      const repaired = repair(found);
      if (repaired === found) continue;
      yield {
        path,
        pointer,
        part: { of: 'value', start, end: start + found.length },
        message: 'This was UTF-8, and something read it in another encoding.',
        suggestion: repaired,
      };
    }
    for (const { 0: found, index: start } of text.matchAll(/\ufffd+/g)) {
      yield {
        path,
        pointer,
        part: { of: 'value', start, end: start + found.length },
        message: 'A character was lost here, and U+FFFD stands in its place. Write it anew.',
      };
    }
  },
};

/** Bytes 0x80 to 0xBF, which go on a character of UTF-8, in either encoding. */
const high = decodeWindows1252(Uint8Array.from({ length: 64 }, (_, index) => index + 128));
const next = `[\\u0080-\\u009f${high.replace(/[\]\\^-]/g, '\\$&')}]`;

/**
 * The characters of Latin, Greek, Cyrillic and the scripts of India, punctuation, signs and emoji, by their
 * first bytes. Others are left out, since two characters side by side make them: the Å and the dash of "5 Å–6 Å".
 */
const sequence = [
  'Â[\\u0080-\\u00bf]',
  `[ÃÎÏ]${next}`,
  `(?:[ÐÑ]${next}){2,}`,
  `à[¤-·]${next}`,
  `â${next}${next}`,
  `â€(?!${next})`,
  `ï[»¼½¿]${next}`,
  `ðŸ${next}${next}`,
].join('|');

/** The signs of Windows-1252 that are letters of Unicode: they follow others where text was misread twice. */
const rare = `[ÅÆË]${next}`;

/** Sequences, and those that little stands between: one sentence is one mistake. */
const broken = new RegExp(`(?:${sequence})(?:[ -/:-@]{0,3}(?:${sequence})|${rare})*`, 'g');
const sequences = new RegExp(`(?:${sequence}|${rare})+`, 'g');

/** Text may have been misread more than once: `Ã¢â‚¬â„¢`. */
const mostReadings = 3;

function repair(text: string): string {
  let repaired = text;
  for (let time = 0; time < mostReadings; time += 1) {
    const before = repaired;
    repaired = before.replace(sequences, decode);
    if (repaired === before) break;
  }
  return repaired;
}

/** As it is, where it is no UTF-8 after all. */
function decode(misread: string): string {
  if (misread === 'â€') return '”';
  try {
    const read = Uint8Array.from(misread, (character) => byteOf(character) ?? 0);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read);
  } catch {
    return misread;
  }
}

export const controlCharacters: TextRule = {
  name: 'control-characters',
  description:
    'Texts hold no control characters but line breaks, no command of LaTeX whose backslash JSON took for its own (the \\t of \\times), and no half of a character.',
  severity: 'error',
  example: { wrong: '"question": "$2 \\times 3$"', right: '"question": "$2 \\\\times 3$"' },
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  concerns: /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ud800-\udfff]|\n[a-z]/,
  *check({ path, pointer, text }) {
    const formulaAt = formulaFinder(text);
    for (const match of text.matchAll(looked)) {
      const finding = controlFinding(text, match.index, match[0], formulaAt(match.index));
      if (finding) yield { path, pointer, ...finding };
    }
  },
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const looked = /\r\n|[\b\t\n\f\r](?=[a-zA-Z])|[\u0000-\u0009\u000b-\u001f\u007f-\u009f]+|\p{Cs}/gu;

const escapes: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function controlFinding(
  text: string,
  start: number,
  found: string,
  formula: Formula | undefined,
): Omit<Finding, 'path' | 'pointer'> | undefined {
  const part = { of: 'value', start, end: start + found.length } as const;
  const [letters = ''] = /^[a-zA-Z]*/.exec(text.slice(part.end, part.end + longestCommand)) ?? [];
  const written = escapes[found];
  if (written !== undefined && isEatenCommand(found, letters, formula !== undefined)) {
    if (found === '\n' && formula && isLayout(text, start, letters, formula)) return undefined;
    const command = `${written}${letters}`;
    return {
      message: `The backslash of ${command} is eaten: JSON reads ${written} as ${nameOf(found)}. Write two backslashes.`,
      part: { ...part, end: part.end + letters.length },
      suggestion: command,
    };
  }
  if (found === '\n') return undefined;
  if (found === '\r\n') return { message: 'A line break is \\n alone, without \\r.', part, suggestion: '\n' };
  if (/\p{Cs}/u.test(found))
    return { message: 'The text holds half a character (a lone surrogate). Write it anew.', part };
  return {
    message: `The text holds ${nameOf(found)}. ${found === '\t' ? 'Write a space.' : 'Remove it.'}`,
    part,
    ...(found === '\t' && { suggestion: ' ' }),
  };
}

const longestCommand = 30;

function nameOf(characters: string): string {
  if (characters === '\t') return 'a tab';
  if (characters === '\n') return 'a line break';
  if (characters.length > 1) return `${characters.length} control characters`;
  const code = characters.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `the control character U+${code}`;
}

/**
 * Whether a line break in a formula is one, rather than the beginning of a command as short as `\ne` or `\nu`:
 * it begins a formula that ends in a line break too, or a row.
 */
function isLayout(text: string, at: number, letters: string, { start, end, display }: Formula): boolean {
  if (!display || letters.length >= shortestWord) return false;
  const before = text.slice(start, at).trimEnd();
  return before === '' ? text.slice(at, end).trimEnd() !== text.slice(at, end) : /(?:\\\\|\})$/.test(before);
}

const shortestWord = 3;

/**
 * What is left of a command of LaTeX in a JSON string when its backslash is written once: `\t`, `\n` and the like
 * are escapes there. By the character that the escape becomes; of each the letters that follow it.
 */
const tailLists: Readonly<Record<string, string>> = {
  '\b':
    'ackslash ar ecause egin eta etween f ig igcap igcirc igcup igg iggl iggr igl igoplus igotimes igr igtriangleup ' +
    'igvee igwedge inom m mod old oldsymbol ot owtie ox oxed ra race rack reve ullet',
  '\f': 'allingdotseq box lat orall rac rak rown',
  '\r':
    'angle arr brace brack ceil e eals ed floor group ho ight ightarrow ightharpoonup ightleftarrows ' +
    'ightleftharpoons ightrightarrows lap m times ule vert',
  '\t':
    'ag an anh au binom ext extbf extcolor extdegree extit extnormal extrm extsf exttt frac herefore heta hickapprox ' +
    'hinspace ilde imes o op riangle riangledown riangleleft riangleq riangleright',
  '\n':
    'abla atural cong e earrow eg eq ewline exists geq gtr i leftarrow leq less mid olimits onumber ot otin parallel ' +
    'rightarrow sim subseteq u warrow',
};

const commandTails: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(tailLists).map(([character, list]) => [character, list.split(' ')]),
);

/** Shorter ones may be a variable or a word. */
const shortestClearTail = 3;

/**
 * Whether letters behind a control character make a command of LaTeX with it. `\timesx` does in a formula,
 * where somebody forgot a space; elsewhere it takes the command itself.
 *
 * @param letters all that follow the character
 */
export function isEatenCommand(character: string, letters: string, inFormula: boolean): boolean {
  const ofCharacter = commandTails.get(character) ?? [];
  return inFormula
    ? ofCharacter.some(
        (tail) => letters === tail || (tail.length >= shortestClearTail && letters.startsWith(tail)),
      )
    : letters.length >= shortestClearTail && ofCharacter.includes(letters);
}

export const invisibleCharacters: TextRule = {
  name: 'invisible-characters',
  description:
    'Texts hold no characters that nobody sees: zero-width spaces, marks of direction, soft hyphens. The two joiners may stand where a script or an emoji needs them.',
  severity: 'error',
  example: { wrong: '"value": "12<U+200B> m"', right: '"value": "12 m"' },
  concerns: /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40/,
  *check({ path, pointer, text }) {
    for (const { 0: found, index: start } of text.matchAll(invisible)) {
      const isJoined =
        /^[\u200c\u200d]+$/.test(found) && joining.test(text.slice(Math.max(0, start - 2), start));
      const isFlag = tags.test(found) && text.slice(0, start).endsWith(blackFlag);
      if (isJoined || isFlag) continue;
      const isLineEnd = /^[\u2028\u2029]+$/.test(found);
      yield {
        path,
        pointer,
        part: { of: 'value', start, end: start + found.length },
        message: `Nobody sees ${namesOf(found)} here. ${isLineEnd ? 'A line break is \\n.' : 'Remove it.'}`,
        ...(isLineEnd && { suggestion: '\n' }),
      };
    }
  },
};

const invisible =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]+|[\u200c\u200d]+/gu;

/** What a joiner follows in the scripts that have it, and in emoji. */
const joining =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|(?![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])[\p{L}\p{M}])$/u;

/** Letters that nobody sees make the flags of England, Scotland and Wales of a black one. */
const tags = /^[\u{e0020}-\u{e007f}]+$/u;
const blackFlag = '\u{1f3f4}';

/** Of several characters, the first few. */
const named = 3;

function namesOf(characters: string): string {
  const codes = Array.from(characters, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  });
  return codes.length > named ? `${codes.slice(0, named).join(', ')} ...` : codes.join(', ');
}

export const nfc: TextRule = {
  name: 'nfc',
  description:
    'Texts are in Unicode Normalization Form C: an é is one character, and no e followed by an accent, which looks the same and is found by no search.',
  severity: 'error',
  example: { wrong: '"topic": "Schro<U+0308>dinger"', right: '"topic": "Schrödinger"' },
  // Nothing else changes in this form (UAX #15).
  concerns: /[\u0300-\u1fff]|[\u2000\u2001]|[\u20d0-\uffff]/,
  *check({ path, pointer, text }) {
    if (text.normalize('NFC') === text) return;
    const stretches = [...text.matchAll(composed)]
      .map(({ 0: written, index: start }) => ({ written, start, right: written.normalize('NFC') }))
      .filter(({ written, right }) => written !== right);
    const [first = { written: text, start: 0, right: text.normalize('NFC') }, ...others] = stretches;
    yield {
      path,
      pointer,
      part: { of: 'value', start: first.start, end: first.start + first.written.length },
      message: `This is not in Unicode Normalization Form C${others.length > 0 ? `, and neither are ${others.length} more places of the text` : ''}.`,
      suggestion: first.right,
    };
  },
};

/** Characters with the marks that belong to them, and the letters of a syllable of Hangul: what becomes one. */
const composed =
  /(?:[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[\uac00-\ud7a3][\u11a8-\u11c2]|\P{M})?\p{M}+|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[\uac00-\ud7a3][\u11a8-\u11c2]|\P{M}/gu;
