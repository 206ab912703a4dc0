import type { Coding } from './stored-release.ts';

/**
 * The content codings that a server may choose (RFC 9110, 12.5.3): the preferred ones of the client, or identity if it
 * accepts none. All of them if the field is invalid.
 *
 * @param values the values of the field's lines
 */
export function acceptableCodings(
  values: readonly string[],
  available: readonly Coding[],
): readonly Coding[] {
  if (values.length === 0) return ['identity'];
  const weights = new Map<string, number>();
  for (const item of values.join(',').split(',')) {
    const [, name, weight = '1'] =
      /^[ \t]*(br|gzip|identity|deflate|zstd|\*)(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?[ \t]*$/.exec(
        item,
      ) ?? [];
    // An invalid item or a duplicate coding is ambiguous.
    if (name === undefined || weights.has(name)) return available;
    weights.set(name, Number(weight));
  }
  const weightOf = (coding: Coding) =>
    weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? 0.001 : 0);
  const accepted = available.filter((coding) => weightOf(coding) > 0);
  if (accepted.length === 0) return ['identity'];
  const best = Math.max(...accepted.map(weightOf));
  // Identity is the last choice if it is not named.
  return accepted.filter((coding) => weightOf(coding) === best);
}

/**
 * Whether If-None-Match matches an ETag (RFC 9110, 13.1.2).
 *
 * @returns undefined if the field is invalid or occurs twice
 */
export function matchesETag(values: readonly string[], etag: string): boolean | undefined {
  const [value, ...others] = values;
  if (value === undefined) return false;
  if (others.length > 0) return undefined;
  if (value === '*') return true;
  const tag = '(?:W/)?"[!#-~\\x80-\\xff]*"';
  if (!new RegExp(`^${tag}(?:[ \\t]*,[ \\t]*${tag})*$`).test(value)) return undefined;
  return value.split(/[ \t]*,[ \t]*(?=W\/"|")/).some((one) => one.replace(/^W\//, '') === etag);
}
