import type { Coding } from './served.ts';

/**
 * The codings in which a server may answer (RFC 9110, 12.5.3): those that the client accepts, and the bytes as they are
 * where it accepts none. All of them, where the field is nonsense.
 *
 * @param values of the field, each as long as its line
 */
export function negotiable(values: readonly string[], available: readonly Coding[]): readonly Coding[] {
  if (values.length === 0) return ['identity'];
  const weights = new Map<string, number>();
  for (const item of values.join(',').split(',')) {
    const [, name, weight = '1'] =
      /^[ \t]*(br|gzip|identity|deflate|zstd|\*)(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?[ \t]*$/.exec(
        item,
      ) ?? [];
    // Of nonsense, and of one coding twice, no one knows what was meant.
    if (name === undefined || weights.has(name)) return available;
    weights.set(name, Number(weight));
  }
  const weightOf = (coding: Coding) =>
    weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? 0.001 : 0);
  const accepted = available.filter((coding) => weightOf(coding) > 0);
  if (accepted.length === 0) return ['identity'];
  const best = Math.max(...accepted.map(weightOf));
  // Identity that nobody named is the last resort.
  return accepted.filter((coding) => weightOf(coding) === best);
}

/**
 * Whether a client has what a tag names (RFC 9110, 13.1.2).
 *
 * @returns undefined where the field is nonsense, or stands there twice
 */
export function notModifiedBy(values: readonly string[], etag: string): boolean | undefined {
  const [value, ...others] = values;
  if (value === undefined) return false;
  if (others.length > 0) return undefined;
  if (value === '*') return true;
  const tag = '(?:W/)?"[!#-~\\x80-\\xff]*"';
  if (!new RegExp(`^${tag}(?:[ \\t]*,[ \\t]*${tag})*$`).test(value)) return undefined;
  return value.split(/[ \t]*,[ \t]*(?=W\/"|")/).some((one) => one.replace(/^W\//, '') === etag);
}
