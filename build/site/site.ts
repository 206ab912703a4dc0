/** The static pages of a release: landing page, reference, guides, catalogue, sample papers and dashboard. */
import { readFile } from 'node:fs/promises';
import type { CompiledExam } from '../compile/exams.ts';
import type { Output } from '../compile/response.ts';
import type { Bank } from '../release/config.ts';
import { imageAsset, publicFile, scriptAsset, styleAsset } from './assets.ts';
import { catalogueOutputs } from './catalogue/pages.ts';
import { clientOutputs } from './clients.ts';
import { dashboardOutputs } from './dashboard/pages.ts';
import { examplePaper, papersOf } from './example.ts';
import { guidesOutputs } from './guides/pages.ts';
import { landingOutput, missingPageOutputs } from './landing.ts';
import type { Site } from './layout.ts';
import { describeApi } from './openapi/openapi.ts';
import type { ReadResponse } from './paper/sample-pages.ts';
import { referenceOutputs } from './reference/page.ts';
import { searchIndex } from './search.ts';

/**
 * @param bank its configuration
 * @param isSigned whether the release is signed
 * @param read reads the protected responses of the samples
 */
export async function siteOutputs(
  bank: Bank,
  exams: readonly CompiledExam[],
  isSigned: boolean,
  read: ReadResponse,
): Promise<Output[]> {
  const { accent } = bank;
  const rules = accent ? `:root{--accent:light-dark(${accent.light},${accent.dark})}\n` : '';
  const assets = [
    await styleAsset('docs/style.css', new URL('style.css', import.meta.url), rules),
    ...(await Promise.all(
      ['page', 'search', 'search-engine'].map((name) => scriptAsset(`docs/${name}.js`, name)),
    )),
  ];
  const [siteStyle = '', siteScript = '', searchScript = '', searchEngine = ''] = assets.map(
    ({ url }) => url,
  );
  const logo = imageAsset('logo', bank);
  const icon = imageAsset('favicon', bank) ?? logo;
  const papers = papersOf(exams).map(({ name }) => name);
  const samples = bank.samples.filter((path) => papers.includes(path));
  const site: Site = {
    bank: { ...bank, samples },
    logo: logo?.url,
    icon: icon?.url ?? '/favicon.ico',
    siteStyle,
    siteScript,
    searchScript,
    searchEngine,
  };
  const favicon = await readFile(new URL('favicon.ico', import.meta.url));
  const { mediaType, body } = icon?.output ?? publicFile('favicon.ico', 'image/x-icon', favicon);
  const robots = await readFile(new URL('robots.txt', import.meta.url));
  // What renders papers is loaded only if there are samples.
  const samplePages =
    samples.length > 0
      ? await (await import('./paper/sample-pages.ts')).sampleOutputs(site, exams, read)
      : undefined;
  const description = describeApi(site.bank, exams);
  const docs = [
    landingOutput(site, exams, samplePages?.shown),
    ...(await referenceOutputs(site, exams, description)),
    ...(await guidesOutputs(site, exams, description, isSigned)),
  ];
  const outputs = [
    ...docs,
    searchIndex(docs),
    ...missingPageOutputs(site),
    ...assets.map(({ output }) => output),
    ...(await catalogueOutputs(site, exams)),
    ...(samplePages?.outputs ?? []),
    ...(await clientOutputs(site.bank, exams)),
    ...(await dashboardOutputs(site, examplePaper(exams).path)),
    publicFile('favicon.ico', mediaType, body),
    publicFile('robots.txt', 'text/plain; charset=utf-8', robots),
  ];
  for (const image of new Set([logo, icon])) if (image) outputs.push(image.output);
  return outputs;
}
