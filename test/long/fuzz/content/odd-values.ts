// biome-ignore-all format: lists
/** Values, names and bytes that are valid, or nearly so. */
import { harmlessSvgs, hostileSvgs } from '../../../build/hostile-svg.ts';
import { avif, gif, heic, jpeg, png, svg, webp } from '../../../build/image-bytes.ts';
import type { Pick } from '../arbitraries.ts';
import { questionFields } from './model/content.ts';
import lists from './odd-values.json' with { type: 'json' };

export const idsLike = (id: string) => [
  `${id}x`, `x${id}`, 'q1', 'q-1', 'Q_1', `${id.slice(0, -2)}99`, `${id.slice(0, -2)}1`, id.toUpperCase(),
  id.replace('physics', 'chemistry'), id.replace('2024', '2023'), '', '.', '..', '../x', 'a/b', 'a b', '-', '_',
  '__proto__', 'é', 'x'.repeat(100), 'x'.repeat(101), '\u0000',
];

export const filesLike = (id: string) => [
  `${id}.png`, `${id}.svg`, `${id}-a.jpeg`, `${id}.PNG`, `${id}`, `../${id}.png`, `${id}/x.png`, `x.png`,
  `${id}%2F.png`, `${id} a.svg`, `${id}\u0000.png`, `${id}.svg.exe`, `é${id}.png`,
];

/** Texts that are as long as is allowed, and longer. */
const long = ['x'.repeat(100), 'x'.repeat(101)];

/** Moments, marks, characters, JSON tokens and escapes, bytes (latin1), and names of folders. */
export const { moments, marks, characters, tokens, escapes, bytes, exceptions, years, shifts } = lists;
export const topics = [...lists.topics, ...long];
export const answers = [...lists.answers, '0.1'.padEnd(400, '1'), '9'.repeat(309), '9'.repeat(308)];
/** Numbers, sections and labels as printed. */
export const printed = [...lists.printed, ...long];
export const names = [...questionFields, ...lists.names];
/** A value in many others. */
export const nested = Array.from({ length: 300 }).reduce<unknown>(
  (value, _, level) => (level % 2 ? [value] : { x: value }), 'x',
);
export const values: readonly unknown[] = [
  ...lists.values, '9'.repeat(400), `0.${'1'.repeat(400)}`, 'q'.repeat(101), 'x'.repeat(100_000),
];
/** Texts, formulas and text that looks like them. */
export const pieces = [
  ...lists.pieces, 'x'.repeat(5000), '$x$'.repeat(300), `$${'{'.repeat(300)}x${'}'.repeat(300)}$`,
  `$${'\\frac{1}{'.repeat(60)}x${'}'.repeat(60)}$`,
];
export const fileNames = [...lists.fileNames, 'x'.repeat(200)];
export const exams = [...lists.exams, 'x'.repeat(200)];

const sides = [0, 1, 2, 100, 8192, 8193, 16_383];

/** An image of a draw format, perhaps truncated, or a file that is not an image. */
export function image(pick: Pick): Buffer {
  const width = pick(sides);
  const height = pick(sides);
  const whole = pick<() => Buffer>([
    ...[0, 1, 2, 3, 4, 5].map(() => () => Buffer.from(pick([...hostileSvgs, ...harmlessSvgs])[1])),
    () => png(Math.min(width, 2000), Math.min(height, 2000)),
    () => jpeg(Math.min(width, 2000), Math.min(height, 2000), pick([0xc0, 0xc2])),
    () => webp(Math.max(1, width), Math.max(1, height)),
    () => pick([gif, avif, heic, svg])(width, height),
    () => Buffer.from(pick(['GIF89a', '<html><script>alert(1)</script></html>', '%PDF-1.4'])),
    () => Buffer.alloc(pick([0, 1, 12, 3 * 1024 * 1024])),
  ])();
  return pick([whole, whole, whole, whole, whole.subarray(0, pick([0, 1, 8, 40, whole.length - 1]))]);
}
