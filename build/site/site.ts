import { readFile } from 'node:fs/promises';
import type { CompiledExam } from '../compile/compile.ts';
import type { Output } from '../publish/outputs.ts';
import { assetAt, publicFile } from './asset.ts';
import { dashboardOutputs } from './dashboard/outputs.ts';
import { exampleOf } from './example.ts';
import { referenceOutputs } from './reference/outputs.ts';

/** The static pages of a release, as part of its public tree. */
export async function siteOutputs(exams: readonly CompiledExam[]): Promise<Output[]> {
  const style = assetAt('docs/style.css', 'text/css; charset=utf-8', await beside('style.css'));
  return [
    ...(await referenceOutputs(exams, style.url)),
    style.output,
    ...(await dashboardOutputs(style.url, exampleOf(exams))),
    publicFile('favicon.ico', 'image/x-icon', await beside('favicon.ico')),
    publicFile('robots.txt', 'text/plain; charset=utf-8', await beside('robots.txt')),
  ];
}

/** A file that stands beside this one. */
function beside(name: string): Promise<Buffer> {
  return readFile(new URL(name, import.meta.url));
}
