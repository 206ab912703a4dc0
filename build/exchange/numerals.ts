/** Markers of lists as HTML has them (HTML 4.4.5, CSS Counter Styles 6). */

const romans: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

/**
 * The marker of a list item.
 *
 * @param kind the `type` attribute or a `list-style-type`: `A`, `lower-roman`; another one stands for numbers
 * @returns such as `C.` or `iv.`; empty for `none`
 */
export function numeralOf(number: number, kind: string): string {
  if (kind === 'none') return '';
  const isUpper = /^upper|^[AI]$/.test(kind);
  const text = /roman|^i$/i.test(kind)
    ? romanOf(number)
    : /alpha|latin|^a$/i.test(kind)
      ? lettersOf(number, 'abcdefghijklmnopqrstuvwxyz')
      : /greek/.test(kind)
        ? lettersOf(number, 'αβγδεζηθικλμνξοπρστυφχψω')
        : String(number);
  return `${isUpper ? text.toUpperCase() : text}.`;
}

function romanOf(number: number): string {
  if (number < 1 || number > 3999) return String(number);
  let left = number;
  return romans.reduce((text, [value, letters]) => {
    const times = Math.floor(left / value);
    left -= times * value;
    return text + letters.repeat(times);
  }, '');
}

function lettersOf(number: number, letters: string): string {
  let text = '';
  for (let left = number; left > 0; left = Math.floor((left - 1) / letters.length))
    text = (letters[(left - 1) % letters.length] ?? '') + text;
  return text || String(number);
}
