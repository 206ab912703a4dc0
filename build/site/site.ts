import { readFile } from 'node:fs/promises';
import type { CompiledExam } from '../compile/compile.ts';
import type { Output } from '../publish/outputs.ts';
import { assetAt, publicFile } from './asset.ts';
import type { ReleasedBank } from './catalogue/changes.ts';
import { catalogueOutputs } from './catalogue/outputs.ts';
import { dashboardOutputs } from './dashboard/outputs.ts';
import { exampleOf } from './example.ts';
import { guidesOutputs } from './guides/outputs.ts';
import { referenceOutputs, referenceStyle } from './reference/outputs.ts';

/**
 * The static pages of a release, as part of its public tree.
 *
 * @param last what the last release says of its years, for the catalogue to tell what changed
 */
export async function siteOutputs(
  exams: readonly CompiledExam[],
  last: ReleasedBank | undefined,
): Promise<Output[]> {
  const style = assetAt('docs/style.css', 'text/css; charset=utf-8', await beside('style.css'));
  return [
    ...(await referenceOutputs(exams, style.url)),
    style.output,
    ...(await guidesOutputs(exams, [style.url, (await referenceStyle()).url])),
    ...(await catalogueOutputs(exams, last, style.url)),
    ...(await dashboardOutputs(style.url, exampleOf(exams))),
    publicFile('favicon.ico', 'image/x-icon', await beside('favicon.ico')),
    publicFile('robots.txt', 'text/plain; charset=utf-8', await beside('robots.txt')),
  ];
}

/** A file that stands beside this one. */
function beside(name: string): Promise<Buffer> {
  return readFile(new URL(name, import.meta.url));
}
