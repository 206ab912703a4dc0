/**
 * The beginning of a text, with `…` where something was left out.
 *
 * @param length in Unicode characters
 */
export function shortened(text: string, length: number): string {
  const characters = [...text.slice(0, 2 * (length + 1))];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text;
}
