/** The static pages of a release: landing page, reference, guides, catalogue, sample papers and dashboard. */
import { readFile } from 'node:fs/promises';
import type { CompiledExam } from '../compile/exams.ts';
import type { Output } from '../compile/response.ts';
import type { Bank } from '../release/bank.ts';
import { logoAsset, publicFile, scriptAsset, styleAsset } from './assets.ts';
import { catalogueOutputs } from './catalogue/pages.ts';
import type { ReleasedBank } from './catalogue/released-bank.ts';
import { dashboardOutputs } from './dashboard/pages.ts';
import { examplePaper } from './example.ts';
import { guidesOutputs } from './guides/pages.ts';
import { landingOutput, missingPageOutputs } from './landing.ts';
import type { Site } from './layout.ts';
import type { ReadResponse } from './paper/sample-pages.ts';
import { referenceOutputs } from './reference/page.ts';
import { searchIndex } from './search.ts';

/**
 * @param bank its configuration
 * @param last the bank of the last release, with which the catalogue compares this one
 * @param isSigned whether the release is signed
 * @param read reads the protected responses of the samples
 */
export async function siteOutputs(
  bank: Bank,
  exams: readonly CompiledExam[],
  last: ReleasedBank | undefined,
  isSigned: boolean,
  read: ReadResponse,
): Promise<Output[]> {
  const style = await styleAsset('docs/style.css', new URL('style.css', import.meta.url));
  const script = await scriptAsset('docs/page.js', 'page');
  const search = await scriptAsset('docs/search.js', 'search');
  const searchEngine = await scriptAsset('docs/search-engine.js', 'search-engine');
  const logo = bank.logo === undefined ? undefined : logoAsset(bank.logo);
  const papers = exams.flatMap(({ years }) =>
    years.flatMap(({ shifts }) =>
      shifts.flatMap((of) => of.papers.map(({ subject }) => `${of.exam}/${of.year}/${of.shift}/${subject}`)),
    ),
  );
  const samples = bank.samples.filter((path) => papers.includes(path));
  const site: Site = {
    bank: { ...bank, samples },
    logo: logo?.url,
    style: style.url,
    script: script.url,
    search: search.url,
    searchEngine: searchEngine.url,
  };
  const favicon = await readFile(new URL('favicon.ico', import.meta.url));
  const robots = await readFile(new URL('robots.txt', import.meta.url));
  const docs = [
    landingOutput(site, exams),
    ...(await referenceOutputs(site, exams)),
    ...(await guidesOutputs(site, exams, isSigned)),
  ];
  const outputs = [
    ...docs,
    searchIndex(docs),
    ...missingPageOutputs(site),
    style.output,
    script.output,
    search.output,
    searchEngine.output,
    ...(await catalogueOutputs(site, exams, last)),
    // What renders papers is loaded only if there are samples.
    ...(samples.length > 0 ? await (await import('./paper/sample-pages.ts')).sampleOutputs(site, exams, read) : []),
    ...(await dashboardOutputs(site, examplePaper(exams).path)),
    publicFile('favicon.ico', 'image/x-icon', favicon),
    publicFile('robots.txt', 'text/plain; charset=utf-8', robots),
  ];
  if (logo) outputs.push(logo.output);
  return outputs;
}
