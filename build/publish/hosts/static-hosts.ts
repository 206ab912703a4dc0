/** Files for Netlify and Cloudflare Pages: rules for headers and redirects, and the bodies of 404 responses. */
import { documentHeaders } from '../../release/headers.ts';
import { headerRulesFile } from '../../release/manifest.ts';
import { missingPage, reservedNames } from '../../release/urls.ts';
import { UserError } from '../../release/user-error.ts';
import type { HostFile, PublicRow } from './public-rows.ts';
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

/** @param exams their codes @throws UserError when a host would not read all rules */
export function staticHostFiles(rows: readonly PublicRow[], exams: readonly string[]): HostFile[] {
  const folders = pageFolders(rows);
  const errorFiles: readonly (readonly [path: string, name: ErrorName])[] = [
    ...(['no-exam', 'no-year', 'no-file'] as const).map((name) => [errorPath(name), name] as const),
    // Cloudflare serves the nearest one. Folders of pages have their own.
    ['/404.html', 'no-exam'],
    ...exams.map((exam) => [`/${exam}/404.html`, 'no-year'] as const),
  ];
  return [
    rulesFile(headerRulesFile, headerRules(rows), limits.headerLine),
    rulesFile(redirectRulesFile, redirectRules(rows, folders, exams), limits.redirectLine),
    ...errorFiles.map(([path, name]) => ({
      file: `public${path}`,
      body: Buffer.from(errorResponse(name).body),
    })),
  ];
}

/** @param lineLimit characters of a line that the hosts read */
function rulesFile(file: string, lines: readonly string[], lineLimit: number): HostFile {
  const long = lines.find((line) => line.length > lineLimit);
  if (long !== undefined)
    throw new UserError(
      `A line of ${file} would be ${long.length} characters long, and Cloudflare Pages reads ${lineLimit}: ` +
        `${long.slice(0, 60)}... Nothing was published.`,
    );
  return { file, body: Buffer.from(`${lines.join('\n')}\n`) };
}

/** One header rule for all paths, two for each folder of pages. Hosts set Content-Type, ETag and Vary themselves. */
function headerRules(rows: readonly PublicRow[]): string[] {
  const { Vary: _, ...common } = foundHeaders;
  const rules = new Map<string, Readonly<Record<string, string>>>([['/*', common]]);
  for (const { path, mediaType } of rows) {
    const headers = documentHeaders(mediaType);
    if (Object.keys(headers).length === 0) continue;
    rules.set(firstSegment(path), headers);
    rules.set(`${firstSegment(path)}/*`, headers);
  }
  if (rules.size > limits.headerRules)
    throw new UserError(
      `${headerRulesFile} would have ${rules.size} header rules, ` +
        `and Cloudflare Pages reads ${limits.headerRules}. Nothing was published.`,
    );
  return [...rules].flatMap(([pattern, headers], index) => [
    ...(index > 0 ? [''] : []),
    pattern,
    ...Object.entries(headers).map(([header, value]) => `  ${header}: ${value}`),
  ]);
}

/**
 * The redirect of `/`, the file for the path of an exam and of a year, and the error for a path without a file.
 * Cloudflare ignores rules with 404.
 *
 * Each exam and year has rules of its own, so that the right error is returned. If these exceed the limits, rules with
 * placeholders replace them, and every missing path is `Exam not found`.
 *
 * @returns lines `<from> <to> <status>`; the hosts require those with a placeholder or `*` to come last
 */
function redirectRules(
  rows: readonly PublicRow[],
  folders: readonly string[],
  exams: readonly string[],
): string[] {
  const root = `/ ${rootTarget} 302`;
  const listed = [
    root,
    // No host finds an `index.json` by itself.
    ...rows.flatMap(({ path, forms }) => {
      const file = forms.at(-1)?.file.replace(/^public/, '') ?? '';
      return file.endsWith('/index.json') ? [`${path} ${file} 200`, `${path}/ ${file} 200`] : [];
    }),
    // For Netlify.
    ...folders.map((folder) => `${folder}/* ${folder}/${missingPage} 404`),
    `/:exam/:year/:shift/* ${errorPath('no-file')} 404`,
    ...exams.map((exam) => `/${exam}/* ${errorPath('no-year')} 404`),
    `/* ${errorPath('no-exam')} 404`,
  ];
  const dynamic = listed.filter((rule) => /^[^ ]*[:*]/.test(rule)).length;
  if (listed.length - dynamic <= limits.redirects && dynamic <= limits.dynamicRedirects)
    return listed;
  const pages = rows.filter(({ path }) => path === firstSegment(path) && isReserved(path));
  return [
    root,
    // Cloudflare follows a rule even if a file exists, so pages come first, unchanged.
    ...pages.map(({ path }) =>
      folders.includes(path) ? `${path} ${path}/ 302` : `${path} ${path} 200`,
    ),
    ...folders.map((folder) => `${folder}/* ${folder}/:splat 200`),
    '/:exam/:year /:exam/:year/index.json 200',
    '/:exam/:year/ /:exam/:year/index.json 200',
    '/:exam /:exam/index.json 200',
    '/:exam/ /:exam/index.json 200',
    `/* ${errorPath('no-exam')} 404`,
  ];
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
