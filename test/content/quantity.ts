import assert from 'node:assert/strict';

/**
 * Reads the first quantity of an option's text: `$2.5\times10^{-3}\,\mathrm{m}$` is 0.0025. It knows
 * decimals, `\frac{a}{b}`, `\sqrt{a}`, `\pi`, powers of ten and products of these (`2\pi`,
 * `\frac{3\sqrt{3}}{2}`).
 *
 * @throws AssertionError when the text starts with no such quantity.
 */
export function quantity(text: string): number {
  const source = text
    .replace(/\$|\\,|\\;|\\!|~|\s|\{,\}/g, '')
    .replace(/−/g, '-')
    .replace(/\\[dt]frac/g, '\\frac');
  const start = source.search(/-?(\d|\\frac|\\sqrt|\\pi)/);
  assert.ok(start >= 0, `no quantity in ${JSON.stringify(text)}`);
  const sign = source[start] === '-' ? -1 : 1;
  let rest = source.slice(sign < 0 ? start + 1 : start);
  let value = 1;
  for (;;) {
    const factor = nextFactor(rest);
    if (factor === undefined) return sign * value;
    value *= factor.value;
    rest = rest.slice(factor.length);
  }
}

function nextFactor(source: string): { value: number; length: number } | undefined {
  const simple = /^(?:\\times|\\cdot)?(?:10\^(?:\{(-?\d+)\}|(\d))|(\d+(?:\.\d+)?)|(\\pi))/.exec(
    source,
  );
  if (simple) {
    const [whole, braced, bare, number] = simple;
    const exponent = braced ?? bare;
    const value =
      exponent !== undefined
        ? 10 ** Number(exponent)
        : number !== undefined
          ? Number(number)
          : Math.PI;
    return { value, length: whole.length };
  }
  const command = /^(?:\\times|\\cdot)?\\(frac|sqrt)\{/.exec(source);
  if (!command) return undefined;
  const first = group(source, command[0].length - 1);
  if (command[1] === 'sqrt') return { value: Math.sqrt(quantity(first.body)), length: first.end };
  const second = group(source, first.end);
  return { value: quantity(first.body) / quantity(second.body), length: second.end };
}

/** The group in braces that opens at `start`: its body, and where it ends. */
function group(source: string, start: number): { body: string; end: number } {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    if (source[at] === '{') depth += 1;
    if (source[at] === '}') depth -= 1;
    if (depth === 0) return { body: source.slice(start + 1, at), end: at + 1 };
  }
  assert.fail(`unbalanced braces in ${JSON.stringify(source)}`);
}
