/** Files from which Netlify and Cloudflare Pages read header fields and redirects (docs/cdn.md). */
import { anyOrigin, cacheControl, documentHeaders, everyResponse } from '../release/headers.ts';
import { headerRulesFile, type PublicResource } from '../release/root.ts';
import { pageFolders } from '../release/urls.ts';

/** A file of the public tree that is not a response of the API. */
export interface HostFile {
  /** Path in the public folder. */
  readonly file: string;
  readonly body: Buffer;
}

type Resources = Readonly<Record<string, PublicResource>>;

/** @param resources the public responses of a release, in the order of their paths */
export function staticHostFiles(resources: Resources): HostFile[] {
  return [
    { file: headerRulesFile, body: Buffer.from(`${headerRules().join('\n')}\n`) },
    { file: '_redirects', body: Buffer.from(`${redirects(resources).join('\n')}\n`) },
    // Cloudflare Pages takes a site without this page for one whose pages are made by a script.
    { file: '404.html', body: Buffer.from(JSON.stringify({ error: 'File not found' })) },
  ];
}

/** One rule for all paths, and two for each folder of pages. The hosts set Content-Type, ETag and Vary themselves. */
function headerRules(): string[] {
  const everywhere = { ...everyResponse, 'Cache-Control': cacheControl.public, ...anyOrigin };
  const ofPages = documentHeaders('text/html');
  const folders = [...pageFolders].sort();
  return [
    ...headerRule('/*', everywhere),
    ...folders.flatMap((folder) =>
      [`/${folder}`, `/${folder}/*`].flatMap((pattern) => ['', ...headerRule(pattern, ofPages)]),
    ),
  ];
}

function headerRule(pattern: string, headers: Readonly<Record<string, string>>): string[] {
  return [pattern, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)];
}

/** No host finds an `index.json` by itself. */
function redirects(resources: Resources): string[] {
  const files = Object.entries(resources).map(([path, { file }]) => [path, file]);
  const indexes = files.filter(([path, file]) => file === `${path}/index.json`);
  return ['/ /docs/ 302', ...indexes.map(([path]) => `/${path} /${path}/index.json 200`)];
}
