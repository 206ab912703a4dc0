import type { TextRule } from './text-rule.ts';

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
