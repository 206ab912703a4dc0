import type { Draw } from '../../draw.ts';
import data from './pieces.json' with { type: 'json' };

/** Texts, formulas and text that looks like them. */
const pieces = [
  ...data.texts.pieces,
  'x'.repeat(5000),
  '$x$'.repeat(300),
  `$${'{'.repeat(300)}x${'}'.repeat(300)}$`,
  `$${'\\frac{1}{'.repeat(60)}x${'}'.repeat(60)}$`,
];
const { characters } = data.texts;

/** Inserts valid or invalid text, or removes some. */
export function mutateText(draw: Draw, text: string): string {
  const at = draw.below(text.length + 1);
  const end = Math.min(text.length, at + draw.below(6));
  return draw.weighted<() => string>([
    [8, () => text.slice(0, at) + draw.pick(pieces) + text.slice(at)],
    [3, () => `${text} ${draw.pick(pieces)}`],
    [3, () => text.slice(0, at) + text.slice(end)],
    [2, () => text.slice(0, at) + draw.pick(characters) + text.slice(at)],
    [1, () => text.normalize('NFD')],
    [1, () => text.replaceAll('\\', draw.pick(['', '\\\\', '/']))],
    [1, () => text.replace(draw.pick(['{', '}', '$', '\\', '_', '^', ' ']), '')],
    [1, () => draw.pick(pieces)],
    [1, () => Buffer.from(text, 'utf8').toString('latin1')],
  ])();
}
