/**
 * The weight of a content coding in Accept-Encoding (RFC 9110, 12.5.3), told by patterns that nginx (PCRE) and
 * Caddy (RE2) read alike. A weight is written as digits without the point and without zeros at its end, `05` for
 * 0.5, so that texts compare as the numbers do.
 */

/** What a pattern that matches gives: the weight itself, or `0` before the digits that it has found. */
export type Weight = { readonly digits: string } | { readonly captured: true };

/**
 * @param coding as it stands in the header; `*` for any other
 * @returns patterns, the first that matches counts; none of them: the coding is not named
 */
export function weightPatterns(coding: string): readonly (readonly [pattern: string, weight: Weight])[] {
  const name = `(?:^|,)[ \\t]*${coding === '*' ? '[*]' : coding}[ \\t]*`;
  return [
    [`${name};[ \\t]*q=0?(?:[.]([0-9]*?)0*)?[ \\t]*(?:[,;]|$)`, { captured: true }],
    [`${name}(?:[,;]|$)`, { digits: '1' }],
  ];
}
