import { documentHeaders } from '../../release/headers.ts';
import { headerRulesFile } from '../../release/manifest.ts';
import { foundHeaders } from './answers.ts';
import { countWithin, limits, linesWithin } from './limits.ts';
import type { PublicRow } from './public-rows.ts';

/**
 * The header rules of Netlify and Cloudflare Pages: one for everything, and two for each first segment below which
 * pages stand, whatever the number of exams. Both hosts set Content-Type by the file's name, and ETag and Vary
 * themselves.
 *
 * @throws BeyondLimits when the hosts would not read all of them
 */
export function headerRules(rows: readonly PublicRow[]): string {
  const { Vary: _, ...everywhere } = foundHeaders;
  const rules = new Map<string, Readonly<Record<string, string>>>([['/*', everywhere]]);
  for (const { path, mediaType } of rows) {
    const headers = documentHeaders(mediaType);
    if (Object.keys(headers).length === 0) continue;
    const [, first] = path.split('/');
    rules.set(`/${first}`, headers);
    rules.set(`/${first}/*`, headers);
  }
  countWithin(headerRulesFile, rules.size, limits.headerRules, 'header rules');
  const text = [...rules].map(([pattern, headers]) => `${pattern}\n${lines(headers)}`).join('\n');
  linesWithin(headerRulesFile, text, limits.headerLine);
  return text;
}

function lines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([field, value]) => `  ${field}: ${value}\n`)
    .join('');
}
