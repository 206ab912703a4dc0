/**
 * What somebody meant who wrote a value almost in its form: a number with a typographic minus, keys in lower
 * case or between brackets, a moment with an offset; undefined when none of these is of the form.
 *
 * @param pattern of the schema, which the value does not match
 */
export function nearMiss(written: string, pattern: string): string | undefined {
  if (written.length > longest) return undefined;
  const form = new RegExp(pattern, 'u');
  const text = written.trim();
  const candidates = [
    text,
    plainNumber(text),
    text.toUpperCase(),
    ...keys(text),
    ...moments(text),
    ...names(text),
  ];
  return candidates.find((candidate) => candidate !== written && form.test(candidate));
}

const longest = 100;

/** `−2.5`, `+2`, `.5`, `007`, `12.` */
function plainNumber(text: string): string {
  return text
    .replace(/^[−–]/, '-')
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/\.$/, '')
    .replace(/^-(0(?:\.0+)?)$/, '$1');
}

/** `(a)`, `A.`, `C, A`, `A and C`, `AC` */
function keys(text: string): string[] {
  const separate = text.replace(/\b(?:and|or)\b/gi, ' ').replace(/[^\p{L}\p{N}]+/gu, ' ');
  const named = separate.trim().toUpperCase().split(' ');
  const together = /^[A-Z]{2,4}$/.test(text) ? [...text] : [];
  return [named, together]
    .filter((list) => list.length > 0)
    .map((list) => [...new Set(list)].sort().join(','));
}

/** A moment of another offset, or a day without a time, in UTC. */
function moments(text: string): string[] {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const hasOffset = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:\d{2})$/.test(text);
  const moment = new Date(isDay || hasOffset ? text.replace(' ', 'T').toUpperCase() : Number.NaN);
  return Number.isNaN(moment.getTime()) ? [] : [moment.toISOString().replace('.000Z', 'Z')];
}

/** `Life Sciences`, `q 1`, `q1.PNG` */
function names(text: string): string[] {
  const joined = text.replace(/[\s/]+/g, '-');
  const [, name = '', extension = ''] = /^(.*)(\.[A-Za-z]+)$/.exec(joined) ?? [];
  return [joined, `${name}${extension.toLowerCase()}`, joined.toLowerCase()];
}
