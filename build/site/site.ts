/** The static pages of a release: reference, guides, catalogue and dashboard. */
import { readFile } from 'node:fs/promises';
import type { CompiledExam } from '../compile/exams.ts';
import type { Output } from '../compile/response.ts';
import { publicFile, styleAsset } from './assets.ts';
import type { ReleasedBank } from './catalogue/changes.ts';
import { catalogueOutputs } from './catalogue/pages.ts';
import { dashboardOutputs } from './dashboard/pages.ts';
import { examplePaper } from './example.ts';
import { guidesOutputs } from './guides/pages.ts';
import { referenceOutputs } from './reference/page.ts';

/**
 * @param last the bank of the last release, with which the catalogue compares this one
 * @param isSigned whether the release is signed
 */
export async function siteOutputs(
  exams: readonly CompiledExam[],
  last: ReleasedBank | undefined,
  isSigned: boolean,
): Promise<Output[]> {
  const style = await styleAsset('docs/style.css', new URL('style.css', import.meta.url));
  const favicon = await readFile(new URL('favicon.ico', import.meta.url));
  const robots = await readFile(new URL('robots.txt', import.meta.url));
  return [
    ...(await referenceOutputs(exams, style.url)),
    style.output,
    ...(await guidesOutputs(exams, style.url, isSigned)),
    ...(await catalogueOutputs(exams, last, style.url)),
    ...(await dashboardOutputs(style.url, examplePaper(exams).path)),
    publicFile('favicon.ico', 'image/x-icon', favicon),
    publicFile('robots.txt', 'text/plain; charset=utf-8', robots),
  ];
}
