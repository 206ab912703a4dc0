import { reservedNames } from '../../release/urls.ts';
import { reference } from './answers.ts';
import { errorPath } from './error-files.ts';
import { limits, linesWithin } from './limits.ts';
import type { PublicRow } from './public-rows.ts';

export const redirectRulesFile = 'public/_redirects';

type Rule = readonly [from: string, to: string, status: number];

/**
 * The redirect rules of Netlify and Cloudflare Pages: where `/` leads, which file answers the path of an exam and
 * of a year, and on Netlify which error answers where there is no file. Cloudflare passes over rules with 404, and
 * finds the nearest `404.html`.
 *
 * Each exam and each year has rules of its own, by which a host tells one that is missing. Where they would be
 * more than a host reads, placeholders stand for all of them, and the host says less of what is missing.
 *
 * @param exams their codes
 * @throws BeyondLimits when a line is longer than the hosts read
 */
export function redirectRules(rows: readonly PublicRow[], exams: readonly string[]): string {
  const listed = [...listedRules(rows), ...missingRules(rows, exams)];
  const rules = [['/', reference, 302] as const, ...(fits(listed) ? listed : placeholderRules(rows))];
  const text = rules.map((rule) => `${rule.join(' ')}\n`).join('');
  linesWithin(redirectRulesFile, text, limits.redirectLine);
  return text;
}

/** Whether the hosts read so many rules, the one of `/` beside them. */
function fits(rules: readonly Rule[]): boolean {
  const dynamic = rules.filter(([from]) => /[:*]/.test(from)).length;
  return rules.length - dynamic < limits.redirects && dynamic <= limits.dynamicRedirects;
}

/** An index that no host finds by itself, under its path with and without a slash at the end. */
function listedRules(rows: readonly PublicRow[]): Rule[] {
  return rows.flatMap(({ path, forms }): Rule[] => {
    const file = forms.at(-1)?.file.replace(/^public/, '') ?? '';
    if (!file.endsWith('/index.json')) return [];
    return [
      [path, file, 200],
      [`${path}/`, file, 200],
    ];
  });
}

/** What Netlify answers where there is no file. The hosts want these after the rules without `*`. */
function missingRules(rows: readonly PublicRow[], exams: readonly string[]): Rule[] {
  return [
    ...pageFolders(rows).map((folder): Rule => [`${folder}/*`, errorPath('no-file'), 404]),
    ['/:exam/:year/:shift/*', errorPath('no-file'), 404],
    ...exams.map((exam): Rule => [`/${exam}/*`, errorPath('no-year'), 404]),
    ['/*', errorPath('no-exam'), 404],
  ];
}

/** Cloudflare follows a rule even where there is a file, so that pages come first, as they are. */
function placeholderRules(rows: readonly PublicRow[]): Rule[] {
  const files = rows.flatMap(({ path }) => (path.lastIndexOf('/') === 0 && isReserved(path) ? [path] : []));
  const folders = pageFolders(rows);
  return [
    ...files.map((path): Rule => (folders.includes(path) ? [path, `${path}/`, 302] : [path, path, 200])),
    ...folders.map((folder): Rule => [`${folder}/*`, `${folder}/:splat`, 200]),
    ['/:exam/:year', '/:exam/:year/index.json', 200],
    ['/:exam/:year/', '/:exam/:year/index.json', 200],
    ['/:exam', '/:exam/index.json', 200],
    ['/:exam/', '/:exam/index.json', 200],
    ['/*', errorPath('no-exam'), 404],
  ];
}

/** The folders of the service's own pages: `/docs`. */
export function pageFolders(rows: readonly PublicRow[]): string[] {
  const nested = rows.filter(({ path }) => path.lastIndexOf('/') > 0 && isReserved(path));
  return [...new Set(nested.map(({ path }) => `/${path.split('/')[1]}`))];
}

function isReserved(path: string): boolean {
  return reservedNames.has(path.split('/')[1] ?? '');
}
