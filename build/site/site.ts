/** The static pages of a release: landing page, reference, guides, catalogue, sample papers and dashboard. */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { CompiledExam } from '../compile/exams.ts';
import type { Output } from '../compile/response.ts';
import type { Bank } from '../release/config.ts';
import type { PublicResource } from '../release/root.ts';
import { imageAsset, publicFile, readTypefaces, scriptAsset, styleAsset } from './assets.ts';
import type { SearchEntry } from './browser/search-engine.ts';
import { catalogueEntries, catalogueOutputs } from './catalogue/pages.ts';
import { clientOutputs } from './clients.ts';
import { dashboardOutputs } from './dashboard/pages.ts';
import { examplePaper, papersOf } from './example.ts';
import { html } from './html.ts';
import { landingOutput, missingPageOutputs } from './landing.ts';
import type { Site } from './layout.ts';
import { type Description, describeApi } from './openapi/openapi.ts';
import type { ReadResponse } from './paper/sample-pages.ts';

/** The pages of the documentation and their search index, and what identifies them. */
export interface Documentation {
  /** The digest of all that they depend on. */
  readonly key: string;
  /** URL paths. */
  readonly paths: readonly string[];
}

/** Those of the last release. */
export interface LastDocumentation extends Documentation {
  readonly resources: Readonly<Record<string, PublicResource>>;
}

/** What pages depend on, apart from the papers. */
interface SiteSetting {
  /** The configuration of the bank. */
  readonly bank: Bank;
  /** Signs the release. */
  readonly signer?: unknown;
  /** The documentation of the last release, which is made again only if it would differ. */
  readonly lastDocumentation: LastDocumentation | undefined;
}

/**
 * @param read reads the protected responses of the samples
 * @returns the pages, and those that are the same as in the last release
 */
export async function siteOutputs(
  exams: readonly CompiledExam[],
  read: ReadResponse,
  { bank, signer, lastDocumentation: last }: SiteSetting,
) {
  const isSigned = signer !== undefined;
  const { accent } = bank;
  const rules = accent ? `:root{--accent:light-dark(${accent.light},${accent.dark})}\n` : '';
  const assets = [
    await styleAsset(rules),
    ...(await Promise.all(['page', 'search'].map((name) => scriptAsset(`docs/${name}.js`, name)))),
  ];
  const [siteStyle = '', siteScript = '', searchScript = ''] = assets.map(({ url }) => url);
  const logo = imageAsset('logo', bank);
  const icon = imageAsset('favicon', bank) ?? logo;
  const papers = Array.from(papersOf(exams), ({ name }) => name);
  const samples = bank.samples.filter((path) => papers.includes(path));
  const site: Site = {
    bank: { ...bank, samples },
    logo: logo?.url,
    icon: icon?.url ?? '/favicon.ico',
    siteStyle,
    siteScript,
    searchScript,
  };
  const favicon = await readFile(new URL('favicon.ico', import.meta.url));
  const { mediaType, body } = icon?.output ?? publicFile('favicon.ico', 'image/x-icon', favicon);
  const map = bank.publicUrl ? `Sitemap: ${bank.publicUrl}/docs/sitemap.xml\n` : '';
  const robots = Buffer.from(
    (await readFile(new URL('robots.txt', import.meta.url), 'utf8')) + map,
  );
  // What renders papers is loaded only if there are samples.
  const samplePages =
    samples.length > 0
      ? await (await import('./paper/sample-pages.ts')).sampleOutputs(site, exams, read)
      : undefined;
  const description = describeApi(site.bank, exams);
  const landing = landingOutput(site, exams, samplePages?.shown);
  const entries = catalogueEntries(site.bank, exams);
  const key = documentationKey(site, exams, description, isSigned, landing, entries);
  const isKept = last?.key === key;
  const documentation = isKept
    ? []
    : await documentationOutputs(site, exams, description, isSigned, landing, entries);
  const outputs = [
    landing,
    ...documentation,
    ...missingPageOutputs(site),
    ...assets.map(({ output }) => output),
    ...(await catalogueOutputs(site, exams)),
    ...(samplePages?.outputs ?? []),
    ...(await clientOutputs(site.bank, exams)),
    ...(await dashboardOutputs(site, examplePaper(exams).path)),
    publicFile('favicon.ico', mediaType, body),
    publicFile('robots.txt', 'text/plain; charset=utf-8', robots),
    ...(await readTypefaces()).map(({ file, body }) =>
      publicFile(`docs/${file}`, 'font/woff2', body),
    ),
  ];
  for (const image of new Set([logo, icon])) if (image) outputs.push(image.output);
  const kept = isKept ? last : { key, paths: documentation.map(({ path }) => path) };
  if (bank.publicUrl) outputs.push(sitemap(bank.publicUrl, outputs, kept.paths));
  return { outputs, unchanged: isKept ? last.resources : {}, documentation: kept };
}

/** The addresses of the pages for search engines, as sitemaps.org describes it. @param kept paths beside those of outputs */
function sitemap(origin: string, outputs: readonly Output[], kept: readonly string[]): Output {
  const pages = outputs.filter(({ mediaType, file }) => {
    return (
      mediaType.startsWith('text/html') && file.startsWith('docs/') && file.endsWith('index.html')
    );
  });
  const ofDocs = kept.filter((path) => !/\.\w+$/.test(path));
  const paths = [...new Set([...pages.map(({ path }) => path), ...ofDocs])].sort();
  const urls = paths.map((path) => html`<url><loc>${origin}/${path}/</loc></url>\n`);
  const text = html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`.text;
  return publicFile('docs/sitemap.xml', 'application/xml; charset=utf-8', Buffer.from(text));
}

/** Digests all that the reference, the guides and the search index depend on, but for the program itself. */
function documentationKey(
  site: Site,
  exams: readonly CompiledExam[],
  description: Description,
  isSigned: boolean,
  landing: Output,
  entries: readonly SearchEntry[],
): string {
  const names = exams.map(({ resource: { exam, label, years } }) => [exam, label, years]);
  const example = examplePaper(exams, site.bank.publicUrl);
  const inputs = [site, names, example, description, isSigned, landing.body.toString(), entries];
  return hash('sha256', JSON.stringify(inputs));
}

/** They are loaded only when they are made: they take as long as all the rest of a build of one changed question. */
async function documentationOutputs(
  site: Site,
  exams: readonly CompiledExam[],
  description: Description,
  isSigned: boolean,
  landing: Output,
  entries: readonly SearchEntry[],
): Promise<Output[]> {
  const [{ referenceOutputs }, { guidesOutputs }, { searchIndex }] = await Promise.all([
    import('./reference/page.ts'),
    import('./guides/pages.ts'),
    import('./search.ts'),
  ]);
  const pages = [
    ...(await referenceOutputs(site, exams, description)),
    ...(await guidesOutputs(site, exams, description, isSigned)),
  ];
  return [...pages, searchIndex([landing, ...pages], entries)];
}
