/** Rules on the characters of texts: encoding errors, control characters, invisible characters and Unicode normalization. */
import { type Formula, formulaFinder, formulasOf, proseOf } from '../content/formulas.ts';
import latex from '../content/latex.json' with { type: 'json' };
import type { Span } from '../content/positions.ts';
import { byteOf, decodeWindows1252, manyMarks } from '../content/text.ts';
import { type CheckedText, type Finding, spanOf, type TextRule, textFinding } from './rule.ts';

export const mojibake: TextRule = {
  name: 'mojibake',
  description:
    'Text was decoded correctly: it has no Ã© for é and no replacement character (U+FFFD).',
  severity: 'error',
  example: { wrong: '"topic": "SchrÃ¶dinger equation"', right: '"topic": "Schrödinger equation"' },
  concerns: /[\u00c2\u00c3\u00ce-\u00d1\u00e0\u00e2\u00ef\u00f0][\u0080-\uffff]|\ufffd/,
  *check(checked) {
    for (const match of checked.text.matchAll(misread)) {
      const repaired = repair(match[0]);
      if (repaired === match[0]) continue;
      yield textFinding(
        checked,
        spanOf(match),
        'These characters are garbled, because a program opened the text in the wrong encoding. Type them again.',
        repaired,
      );
    }
    for (const match of checked.text.matchAll(/\ufffd+/g))
      yield textFinding(checked, spanOf(match), 'A character was lost here. Type it again.');
  },
};

/** The continuation bytes of UTF-8 (0x80 to 0xBF) as characters of either encoding. */
const continuation = decodeWindows1252(Uint8Array.from({ length: 64 }, (_, index) => index + 128));
const next = `[\\u0080-\\u009f${continuation.replace(/[\]\\^-]/g, '\\$&')}]`;

/**
 * Misread characters of Latin, Greek, Cyrillic and Indian scripts, punctuation, symbols and emoji, by their first bytes.
 * Others are left out because correct text contains them: the Å and the dash of "5 Å–6 Å".
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

/** Letters that text which was misread twice has after other sequences. */
const rare = `[ÅÆË]${next}`;

/** Sequences, and the punctuation between them: one sentence is one finding. */
const misread = new RegExp(`(?:${sequence})(?:[ -/:-@]{0,3}(?:${sequence})|${rare})*`, 'g');
const sequences = new RegExp(`(?:${sequence}|${rare})+`, 'g');

/** Text may have been misread more than once: `Ã¢â‚¬â„¢`. */
const mostReadings = 3;

function repair(text: string): string {
  let repaired = text;
  for (let time = 0; time < mostReadings; time += 1) repaired = repaired.replace(sequences, decode);
  return repaired;
}

function decode(text: string): string {
  if (text === 'â€') return '”';
  try {
    const read = Uint8Array.from(text, (character) => byteOf(character) ?? 0);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read);
  } catch {
    return text;
  }
}

export const halfCharacters: TextRule = {
  name: 'half-characters',
  description: 'Text has only whole characters: UTF-8 and checksums (RFC 8785) have no others.',
  severity: 'error',
  strict: true,
  example: { wrong: '"question": "Why \\ud83d?"', right: '"question": "Why \\ud83d\\ude00?"' },
  concerns: /[\ud800-\udfff]/,
  *check(checked) {
    const message = 'The text contains half a character. Type the character again.';
    for (const match of checked.text.matchAll(/\p{Cs}/gu))
      yield textFinding(checked, spanOf(match), message);
  },
};

export const controlCharacters: TextRule = {
  name: 'control-characters',
  description:
    'Text has no control characters except line breaks, and no LaTeX command that JSON read as an escape (\\times).',
  severity: 'error',
  example: { wrong: '"question": "$2 \\times 3$"', right: '"question": "$2 \\\\times 3$"' },
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  concerns: /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|\n[a-z]/,
  *check(checked) {
    const { text } = checked;
    const formulaAt = formulaFinder(text);
    const isOpen = formulasOf(text).openAt >= 0;
    const brackets = isOpen ? [] : Array.from(text.matchAll(bracketed), spanOf);
    const areCells = hasCells(text);
    for (const match of text.matchAll(suspicious)) {
      const finding = controlFinding(checked, spanOf(match), {
        formula: formulaAt(match.index),
        isOpen,
        brackets,
        areCells,
      });
      if (finding) yield finding;
    }
  },
};

/** Whether the tabs of a text separate the cells of a table: it has several, and not only at the start of its lines. */
function hasCells(text: string): boolean {
  if (!text.includes('\t')) return false;
  // A command whose backslash JSON has read is no cell.
  const tabs = [...proseOf(text, '|').matchAll(/\S *(\t)(?=[\t ]*([a-zA-Z]*))/g)];
  return (
    tabs.filter(([, tab = '', letters = '']) => !isEatenCommand(tab, letters, false)).length > 1
  );
}

/** What decides whether a control character was the start of a command. */
interface Surroundings {
  /** Undefined outside of dollars. */
  readonly formula: Formula | undefined;
  /** Whether a dollar of the text is missing. */
  readonly isOpen: boolean;
  /** The parts between `\(` and `\)` or `\[` and `\]`, which another rule replaces by dollars. */
  readonly brackets: readonly Span[];
  /** Whether the tabs of the text separate the cells of a table. */
  readonly areCells: boolean;
}

const suspicious =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /\r\n|[\b\t\n\f\r](?=[a-zA-Z])|[\u0000-\u0009\u000b-\u001f\u007f-\u009f]+/g;

function controlFinding(
  checked: CheckedText,
  span: Span,
  surroundings: Surroundings,
): Finding | undefined {
  const { text } = checked;
  const { start, end } = span;
  const { formula } = surroundings;
  const found = text.slice(start, end);
  const [letters = ''] = /^[a-zA-Z]*/.exec(text.slice(end, end + longestCommand)) ?? [];
  if (isEatenCommand(found, letters, formula !== undefined)) {
    if (found === '\n' && formula && isLayout(text, start, letters, formula)) return undefined;
    // As JSON escapes it: "\t".
    const written = JSON.stringify(found).slice(1, -1);
    const command = `${written}${letters}`;
    const message = `JSON reads the ${written} of ${command} as ${nameOf(found)}. Write two backslashes.`;
    const finding = textFinding(checked, { start, end: end + letters.length }, message, command);
    return { ...finding, certain: isClearCommand(text, start, letters, surroundings) };
  }
  if (found === '\n') return undefined;
  if (found === '\r\n') {
    const message = 'Write a line break as \\n, without \\r.';
    return { ...textFinding(checked, span, message, '\n'), certain: !formula };
  }
  if (/^\t+$/.test(found) && surroundings.areCells)
    return textFinding(
      checked,
      span,
      'Tabs separate the cells of these lines, but Markdown does not show a table. ' +
        'Write one: | a | b |, with | --- | --- | below its first line.',
    );
  const [advice, suggestion] = found === '\t' ? ['Write a space.', ' '] : ['Remove it.'];
  const finding = textFinding(
    checked,
    span,
    `The text contains ${nameOf(found)}. ${advice}`,
    suggestion,
  );
  // At the start of a line, Markdown may see more in a tab than in a space.
  return { ...finding, certain: !(formula && letters) && /\S/.test(text[start - 1] ?? '') };
}

const longestCommand = 30;

function nameOf(characters: string): string {
  if (characters === '\t') return 'a tab';
  if (characters === '\n') return 'a line break';
  if (characters.length > 1) return `${characters.length} control characters`;
  return `the control character ${codePoint(characters)}`;
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Whether a line break in a formula was meant as one, rather than as the start of a command as short as `\ne` or `\nu`:
 * it begins a formula that also ends in a line break, or it begins a row.
 */
function isLayout(
  text: string,
  at: number,
  letters: string,
  { start, end, display }: Formula,
): boolean {
  if (!display || letters.length >= shortestClearTail) return false;
  const before = text.slice(start, at).trimEnd();
  return before === ''
    ? text.slice(at, end).trimEnd() !== text.slice(at, end)
    : /(?:\\\\|\})$/.test(before);
}

/** The characters that JSON reads for `\b`, `\f` and others, and the letters of these escapes. */
const escapes = new Map([
  ['\b', 'b'],
  ['\f', 'f'],
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
]);

/**
 * The rests of LaTeX commands whose backslash is written once in JSON, where `\t`, `\n` and others are escapes: the
 * letters that follow, by the character that the escape becomes.
 */
const commandTails = new Map(
  Array.from(escapes, ([character, letter]) => [
    character,
    [...latex.uniform, ...latex.escaped]
      .filter((command) => command.startsWith(letter))
      .map((command) => command.slice(1)),
  ]),
);

/** Rests that are words, which may follow a line break. */
const ordinaryWords: ReadonlySet<string> = new Set(['exists', 'less', 'mid', 'parallel', 'sim']);

/** Shorter rests may be a variable or a word. */
const shortestClearTail = 3;

/**
 * Whether a control character and the letters after it were a LaTeX command. In a formula, more letters may follow, as in
 * `\timesx`; elsewhere the command must be complete.
 *
 * @param letters all that follow the character
 */
function isEatenCommand(character: string, letters: string, inFormula: boolean): boolean {
  if (character === '\n' && !inFormula && ordinaryWords.has(letters)) return false;
  const tails = commandTails.get(character) ?? [];
  return tails.some((tail) =>
    tail.length < shortestClearTail
      ? inFormula && letters === tail
      : letters === tail || (inFormula && letters.startsWith(tail)),
  );
}

/**
 * Whether an eaten command cannot be anything else: it is in a formula, no letters follow it, and a line break is not that
 * of a formula of several lines, or of a text in which a dollar is missing.
 */
function isClearCommand(
  text: string,
  at: number,
  letters: string,
  surroundings: Surroundings,
): boolean {
  const { formula, isOpen, brackets } = surroundings;
  const character = text[at] ?? '';
  if (!commandTails.get(character)?.includes(letters)) return false;
  if (/^\p{M}/u.test(text.slice(at + 1 + letters.length))) return false;
  if (character === '\n') return formula?.display === false && !isOpen;
  return formula !== undefined || brackets.some(({ start, end }) => start < at && at < end);
}

const bracketed = /(?<!\\)\\(?:\((?:[^\\$]|\\[^\\()$])*\\\)|\[(?:[^\\$]|\\[^\\[\]$])*\\\])/g;

export const invisibleCharacters: TextRule = {
  name: 'invisible-characters',
  description:
    'Text has no invisible characters, such as zero-width spaces, except joiners in scripts and ' +
    'emoji that need them, and direction marks in texts from right to left.',
  severity: 'error',
  example: { wrong: '"value": "12<U+200B> m"', right: '"value": "12 m"' },
  concerns: /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40/,
  *check(checked) {
    for (const match of checked.text.matchAll(invisible)) {
      const [found] = match;
      const before = checked.text.slice(Math.max(0, match.index - 2), match.index);
      const isJoined = /^[\u200c\u200d]+$/.test(found) && joining.test(before);
      const isMark =
        directionMarks.test(found) &&
        (rightToLeft.test(checked.text) || !/\p{L}/u.test(checked.text)) &&
        isBalanced(checked.text);
      if (isJoined || isMark || (tags.test(found) && before === blackFlag)) continue;
      const isLineEnd = /^[\u2028\u2029]+$/.test(found);
      const [advice, suggestion] = isLineEnd
        ? ['Write a line break as \\n.', '\n']
        : ['Remove it.'];
      const message = `${namesOf(found)} is invisible here. ${advice}`;
      yield textFinding(checked, spanOf(match), message, suggestion);
    }
  },
};

const invisible =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]+|[\u200c\u200d]+/gu;

/** The characters before a joiner, in scripts that need it and in emoji. */
const joining =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|(?![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])[\p{L}\p{M}])$/u;

/** Next to signs and numbers, they decide on which side of a text from right to left these are. */
const directionMarks = /^[\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]+$/;

/** Whether each embedding and isolate ends in the text, in the right order (UAX #9, BD9 and BD11). */
function isBalanced(text: string): boolean {
  const open: string[] = [];
  for (const [sign] of text.matchAll(/[\u202a-\u202c\u2066-\u2069]/g)) {
    if (/[\u202a\u202b]/.test(sign)) open.push('\u202c');
    else if (/[\u2066-\u2068]/.test(sign)) open.push('\u2069');
    else if (open.pop() !== sign) return false;
  }
  return open.length === 0;
}
const rightToLeft = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}]/u;

/** After a black flag, invisible letters make the flags of England, Scotland and Wales. */
const tags = /^[\u{e0020}-\u{e007f}]+$/u;
const blackFlag = '\u{1f3f4}';

export const privateUse: TextRule = {
  name: 'private-use-characters',
  description:
    'Text has no private-use characters, such as those of Word for its Symbol font. Other fonts show them as boxes.',
  severity: 'warning',
  example: { wrong: '"value": "<U+F071> = 30<U+F0B0>"', right: '"value": "$\\\\theta$ = 30°"' },
  concerns: /[\ue000-\uf8ff]|[\udb80-\udbff]/,
  *check(checked) {
    for (const match of checked.text.matchAll(/\p{Co}+/gu)) {
      const [found] = match;
      const message = `${namesOf(found)} is a character of one font, and a box in others. Type the character that was meant.`;
      yield textFinding(checked, spanOf(match), message);
    }
  },
};

const mostNamed = 3;

function namesOf(characters: string): string {
  const codes = Array.from(characters, codePoint);
  return codes.length > mostNamed
    ? `${codes.slice(0, mostNamed).join(', ')} ...`
    : codes.join(', ');
}

export const nfc: TextRule = {
  name: 'nfc',
  description:
    'An accented letter is one character (Unicode NFC). Searches do not find a letter with a separate accent.',
  severity: 'error',
  example: { wrong: '"topic": "Schro<U+0308>dinger"', right: '"topic": "Schrödinger"' },
  // Normalization changes no other characters (UAX #15).
  concerns: /[\u0300-\u1fff]|[\u2000\u2001]|[\u20d0-\uffff]/,
  *check(checked) {
    const { text } = checked;
    const crowd = manyMarks.exec(text);
    if (crowd) {
      yield textFinding(checked, spanOf(crowd), 'No letter has so many accents. Remove them.');
      return;
    }
    if (text.normalize('NFC') === text) return;
    const places = [...text.matchAll(composed)].filter(
      ([written]) => written !== written.normalize('NFC'),
    );
    const [first, ...others] = places;
    const { start, end } = first ? spanOf(first) : { start: 0, end: text.length };
    const also = places.length > 1 ? ` The text has ${places.length - 1} more of these.` : '';
    const message = `This looks right but is stored in a form that searches do not find. Type it again.${also}`;
    const suggestion = text.slice(start, end).normalize('NFC');
    // KaTeX has some characters only as a letter and its mark. A sign of ASCII may have a meaning in Markdown.
    const formulaAt = formulaFinder(text);
    const isCertain = (at: number, written: string) =>
      formulaAt(at) === undefined && !/[!-/:-@[-`{-~]/.test(written);
    const certain = isCertain(start, suggestion);
    const repeats = others.flatMap((place) => {
      const composed = place[0].normalize('NFC');
      return isCertain(place.index, composed) ? [{ ...spanOf(place), suggestion: composed }] : [];
    });
    yield { ...textFinding(checked, { start, end }, message, suggestion), certain, repeats };
  },
};

/** What normalization joins: characters with their marks, and the letters of a Hangul syllable. */
const letter =
  /[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[\uac00-\ud7a3][\u11a8-\u11c2]|\P{M}/u.source;
const composed = new RegExp(`(?:${letter})?\\p{M}+|${letter}`, 'gu');
