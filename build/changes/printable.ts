/** Control characters, what turns the direction of writing, and line ends of Unicode. */
const steering = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** A text of the content, of a file's name or of git on one line, where nothing in it steers what shows it. */
export function printable(text: string): string {
  return text.replace(steering, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/**
 * The beginning of a text, with `…` where something was left out.
 *
 * @param length in Unicode characters
 */
export function shortened(text: string, length: number): string {
  const characters = [...text.slice(0, 2 * (length + 1))];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text;
}
