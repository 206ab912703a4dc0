/** Files for Netlify and Cloudflare Pages: rules for headers and redirects, and the bodies of 404 responses. */
import { documentHeaders } from '../../release/headers.ts';
import { headerRulesFile } from '../../release/manifest.ts';
import { reservedNames } from '../../release/urls.ts';
import type { PublicRow } from './public-rows.ts';
import { type ErrorName, errorResponse, foundHeaders, rootTarget } from './responses.ts';

const redirectRulesFile = 'public/_redirects';

/**
 * What the hosts read of `_headers` and `_redirects`, the lower limit where they differ:
 * https://developers.cloudflare.com/pages/configuration/headers/ and .../redirects/
 */
export const limits = {
  headerRules: 100,
  /** Characters of a line of `_headers`. */
  headerLine: 2000,
  redirects: 2000,
  /** Rules with a placeholder or `*`, counted separately. */
  dynamicRedirects: 100,
  /** Characters of a line of `_redirects`. */
  redirectLine: 1000,
} as const;

/** A release whose rules a static host would not read completely. */
class BeyondLimits extends Error {
  override readonly name = 'BeyondLimits';
}

/** A file by which other software serves the public tree. */
export interface HostFile {
  /** Path inside the release. */
  readonly file: string;
  readonly body: Buffer;
}

/**
 * @param exams their codes
 * @throws BeyondLimits when a host would not read all rules
 */
export function staticHostFiles(rows: readonly PublicRow[], exams: readonly string[]): HostFile[] {
  return [
    { file: headerRulesFile, body: Buffer.from(headerRules(rows)) },
    { file: redirectRulesFile, body: Buffer.from(redirectRules(rows, exams)) },
    ...errorFiles(rows, exams),
  ];
}

/**
 * One header rule for all paths, and two for each first segment with pages. Both hosts set Content-Type by the file name,
 * and ETag and Vary themselves.
 */
function headerRules(rows: readonly PublicRow[]): string {
  const { Vary: _, ...common } = foundHeaders;
  const rules = new Map<string, Readonly<Record<string, string>>>([['/*', common]]);
  for (const { path, mediaType } of rows) {
    const headers = documentHeaders(mediaType);
    if (Object.keys(headers).length === 0) continue;
    rules.set(firstSegment(path), headers);
    rules.set(`${firstSegment(path)}/*`, headers);
  }
  if (rules.size > limits.headerRules)
    throw new BeyondLimits(
      `${headerRulesFile} would hold ${rules.size} header rules, and Cloudflare Pages reads ${limits.headerRules}. Nothing was published.`,
    );
  const lines = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers).map(([header, value]) => `  ${header}: ${value}\n`);
  const text = [...rules].map(([pattern, headers]) => `${pattern}\n${lines(headers).join('')}`).join('\n');
  requireShortLines(headerRulesFile, text, limits.headerLine);
  return text;
}

type Rule = readonly [from: string, to: string, status: number];

/**
 * The redirect of `/`, the file for the path of an exam and of a year, and the error for a path without a file. Cloudflare
 * ignores rules with 404 and serves the nearest `404.html`.
 *
 * Each exam and year has rules of its own, so that the right error is returned. If these exceed the limits, rules with
 * placeholders replace them, and every missing path is `Exam not found`.
 */
function redirectRules(rows: readonly PublicRow[], exams: readonly string[]): string {
  const listed = [...indexRules(rows), ...missingRules(rows, exams)];
  const rules = [['/', rootTarget, 302] as const, ...(fits(listed) ? listed : placeholderRules(rows))];
  const text = rules.map((rule) => `${rule.join(' ')}\n`).join('');
  requireShortLines(redirectRulesFile, text, limits.redirectLine);
  return text;
}

/** Whether the hosts read all these rules in addition to the one of `/`. */
function fits(rules: readonly Rule[]): boolean {
  const dynamic = rules.filter(([from]) => /[:*]/.test(from)).length;
  return rules.length - dynamic < limits.redirects && dynamic <= limits.dynamicRedirects;
}

/** No host finds an `index.json` by itself. */
function indexRules(rows: readonly PublicRow[]): Rule[] {
  return rows.flatMap(({ path, forms }): Rule[] => {
    const file = forms.at(-1)?.file.replace(/^public/, '') ?? '';
    if (!file.endsWith('/index.json')) return [];
    return [
      [path, file, 200],
      [`${path}/`, file, 200],
    ];
  });
}

/** For Netlify. The hosts require rules with `*` to come last. */
function missingRules(rows: readonly PublicRow[], exams: readonly string[]): Rule[] {
  return [
    ...pageFolders(rows).map((folder): Rule => [`${folder}/*`, errorPath('no-file'), 404]),
    ['/:exam/:year/:shift/*', errorPath('no-file'), 404],
    ...exams.map((exam): Rule => [`/${exam}/*`, errorPath('no-year'), 404]),
    ['/*', errorPath('no-exam'), 404],
  ];
}

/** Cloudflare follows a rule even if a file exists, so pages come first, unchanged. */
function placeholderRules(rows: readonly PublicRow[]): Rule[] {
  const folders = pageFolders(rows);
  const pages = rows.filter(({ path }) => path === firstSegment(path) && isReserved(path));
  return [
    ...pages.map(({ path }): Rule => (folders.includes(path) ? [path, `${path}/`, 302] : [path, path, 200])),
    ...folders.map((folder): Rule => [`${folder}/*`, `${folder}/:splat`, 200]),
    ['/:exam/:year', '/:exam/:year/index.json', 200],
    ['/:exam/:year/', '/:exam/:year/index.json', 200],
    ['/:exam', '/:exam/index.json', 200],
    ['/:exam/', '/:exam/index.json', 200],
    ['/*', errorPath('no-exam'), 404],
  ];
}

/**
 * The bodies of the 404 responses: by name for the rules above, and as `404.html` in each folder for Cloudflare.
 */
function errorFiles(rows: readonly PublicRow[], exams: readonly string[]): HostFile[] {
  const named = ['no-exam', 'no-year', 'no-file'] as const;
  const files: readonly (readonly [path: string, name: ErrorName])[] = [
    ...named.map((name) => [errorPath(name), name] as const),
    ['/404.html', 'no-exam'],
    ...exams.map((exam) => [`/${exam}/404.html`, 'no-year'] as const),
    ...pageFolders(rows).map((folder) => [`${folder}/404.html`, 'no-file'] as const),
  ];
  return files.map(([path, name]) => ({
    file: `public${path}`,
    body: Buffer.from(errorResponse(name).body),
  }));
}

/** URL path of the body of an error. No exam code begins with an underscore. */
function errorPath(name: ErrorName): string {
  return `/_errors/${name}.json`;
}

/** The folders of the service's own pages: `/docs`. */
function pageFolders(rows: readonly PublicRow[]): string[] {
  const nested = rows.filter(({ path }) => path !== firstSegment(path) && isReserved(path));
  return [...new Set(nested.map(({ path }) => firstSegment(path)))];
}

function isReserved(path: string): boolean {
  return reservedNames.has(firstSegment(path).slice(1));
}

/** `/docs` for `/docs/style.css`. */
function firstSegment(path: string): string {
  return `/${path.split('/')[1]}`;
}

function requireShortLines(file: string, text: string, limit: number): void {
  const long = text.split('\n').find((line) => line.length > limit);
  if (long !== undefined)
    throw new BeyondLimits(
      `A line of ${file} would be ${long.length} characters long, and Cloudflare Pages reads ${limit}: ${long.slice(0, 60)}... Nothing was published.`,
    );
}
