/**
 * What Netlify and Cloudflare Pages read of `_headers` and `_redirects`, the lower bound where they differ:
 * https://developers.cloudflare.com/pages/configuration/headers/ and .../redirects/
 */
export const limits = {
  headerRules: 100,
  /** Characters of a line of `_headers`. */
  headerLine: 2000,
  redirects: 2000,
  /** Those with a placeholder or `*`, beside the others. */
  dynamicRedirects: 100,
  /** Characters of a line of `_redirects`. */
  redirectLine: 1000,
} as const;

/** A release that a static host would not read whole. */
export class BeyondLimits extends Error {
  override readonly name = 'BeyondLimits';
}

/**
 * @param file in the release
 * @throws BeyondLimits when there are more of them than the host reads
 */
export function countWithin(file: string, count: number, limit: number, things: string): void {
  if (count > limit)
    throw new BeyondLimits(
      `${file} would hold ${count} ${things}, and Cloudflare Pages reads ${limit}. Nothing was published.`,
    );
}

/** @throws BeyondLimits when a line is longer than the host reads */
export function linesWithin(file: string, text: string, limit: number): void {
  const long = text.split('\n').find((line) => line.length > limit);
  if (long !== undefined)
    throw new BeyondLimits(
      `A line of ${file} would be ${long.length} characters long, and Cloudflare Pages reads ${limit}: ${long.slice(0, 60)}... Nothing was published.`,
    );
}
