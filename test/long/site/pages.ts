import { readFile } from 'node:fs/promises';
import type { Release } from '../../../build/release/read.ts';
import type { StoredResource } from '../../../build/release/root.ts';

/** The most compressed bytes that a page may load. */
export const pageBudget = 250_000;

/** The URL paths of the pages of a release, without slashes at the ends. */
export function pagesOf({ root }: Release): string[] {
  return Object.entries(root.public)
    .filter(([, { mediaType }]) => mediaType.startsWith('text/html'))
    .map(([path]) => path)
    .sort();
}

/**
 * The resources that a page loads before its scripts run: itself, those in its markup, and those in its style sheets.
 *
 * @returns sizes in bytes by URL path, in the encoding that browsers prefer
 * @throws if a resource is not in the release
 */
export async function loadsOf(release: Release, page: string): Promise<Map<string, number>> {
  const loads = new Map<string, number>();
  const rest = [page];
  for (let path = rest.pop(); path !== undefined; path = rest.pop()) {
    if (loads.has(path)) continue;
    const resource = release.root.public[path];
    if (!resource) throw new Error(`${page} loads ${path}, which is not in the release.`);
    loads.set(path, (resource.br ?? resource.gzip ?? resource.identity).size);
    rest.push(...(await referencedBy(release, path, resource)));
  }
  return loads;
}

const addresses = {
  'text/html':
    /<(?:link rel="(?:stylesheet|icon|preload|modulepreload)"|(?:script|img)\b[^>]*?) (?:href|src)="([^"]+)"/g,
  'text/css': /(?:url\(|@import )\s*["']?([^"')]+)/g,
} as const;

/** The URL paths of resources that a page or style sheet refers to. */
async function referencedBy(
  { pathOf }: Release,
  path: string,
  { mediaType, identity }: StoredResource,
) {
  const pattern = addresses[mediaType.split(';', 1)[0] as keyof typeof addresses];
  if (pattern === undefined) return [];
  const text = await readFile(pathOf(identity), 'utf8');
  // A browser loads a font only for text that uses it.
  return [...text.replace(/@font-face\s*\{[^}]*\}/g, '').matchAll(pattern)]
    .map(([, address = '']) => new URL(address, `http://host/${path}`))
    .filter(({ protocol }) => protocol === 'http:')
    .map(({ pathname }) => pathname.replace(/^\/|\/$/g, ''));
}
