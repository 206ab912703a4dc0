import type { Draw } from '../../draw.ts';
import pieces from './pieces.json' with { type: 'json' };

const { oddTokens, escapes } = pieces.tokens;

/** JSON tokens: strings, numbers, literals and punctuation. */
const token = /"(?:\\.|[^"\\])*"|-?[0-9.eE+]+|[a-z]+|[{}[\],:]/g;

/** Changes a token of a JSON text, or inserts one. */
export function mutateTokens(draw: Draw, text: string): string {
  const tokens = [...text.matchAll(token)];
  if (tokens.length === 0) return draw.pick(oddTokens);
  const { index, 0: one } = draw.pick(tokens);
  const { 0: other } = draw.pick(tokens);
  const [before, after] = [text.slice(0, index), text.slice(index + one.length)];
  return draw.weighted<() => string>([
    [4, () => before + draw.pick(oddTokens) + after],
    [3, () => before + after],
    [3, () => before + one + draw.pick(oddTokens) + after],
    [3, () => before + other + after],
    [2, () => before + one + one + after],
    [2, () => `${before}${one}${draw.pick([' ', '\n', '\t', '\f', '\u00a0', '\ufeff', '\u2028'])}${after}`],
    [2, () => (one.startsWith('"') ? `${before}"${draw.pick(escapes)}${one.slice(1)}${after}` : text)],
    [2, () => (one.startsWith('"') ? before + escaped(one) + after : text)],
    // A duplicate key.
    [2, () => text.replace(/("(?:id|answer|key|questions|lastUpdated|label)"): /, '$1: null, $1: ')],
    [
      1,
      () =>
        text.replace(
          /"(id|answer|key|topic)":/,
          (_, name: string) =>
            `"${name}": "x", "\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}":`,
        ),
    ],
    [1, () => JSON.stringify(parsed(text))],
    [1, () => JSON.stringify(parsed(text), undefined, '\t')],
  ])();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Escapes every character of a string. */
function escaped(string: string): string {
  try {
    const text: string = JSON.parse(string);
    const units = Array.from(
      { length: text.length },
      (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
    );
    return `"${units.join('')}"`;
  } catch {
    return string;
  }
}
