/**
 * Characters without a form of their own, some of which steer what shows them: controls, marks of direction,
 * halves of characters. The two joiners (U+200C, U+200D) are part of how scripts and emoji are written.
 */
const hidden = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/**
 * A text that steers no terminal and hides nothing: `␛` for an escape, `<U+202E>` for a mark of direction,
 * and the same for a line break. Nothing is left that XML 1.0 (2.2) has no way to write.
 */
export function visible(text: string): string {
  return text.replace(hidden, (character) => pictureOf(character) ?? codePointsOf(character));
}

/** The lines of a text, each made visible. */
export function visibleLines(text: string): string[] {
  return text.split('\n').map(visible);
}

/** The code points of a text: `<U+200D>`. */
export function codePointsOf(text: string): string {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  }).join('');
}

/** Of the ASCII controls, Unicode has pictures (U+2400 to U+2421). */
function pictureOf(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : undefined;
}
