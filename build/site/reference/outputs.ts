import { readFile } from 'node:fs/promises';
import type { CompiledExam } from '../../compile/compile.ts';
import type { Output } from '../../publish/outputs.ts';
import { type Asset, assetAt, publicFile, publicPage } from '../asset.ts';
import { describeApi } from '../openapi/describe.ts';
import { pageScript } from '../page-script.ts';
import { referencePage } from './page.ts';

/**
 * The API's description and its reference, with style and script.
 *
 * @param siteStyle address of the style that all pages share
 */
export async function referenceOutputs(exams: readonly CompiledExam[], siteStyle: string): Promise<Output[]> {
  const description = describeApi(exams);
  const style = await referenceStyle();
  const script = assetAt(
    'docs/reference.js',
    'text/javascript; charset=utf-8',
    await pageScript('reference'),
  );
  const page = referencePage(description, exams, { styles: [siteStyle, style.url], script: script.url });
  return [
    publicPage('docs', page),
    publicFile(
      'docs/openapi.json',
      'application/json; charset=utf-8',
      Buffer.from(JSON.stringify(description)),
    ),
    style.output,
    script.output,
  ];
}

/** The style of the reference, which the guides have too. */
export async function referenceStyle(): Promise<Asset> {
  const body = await readFile(new URL('reference.css', import.meta.url));
  return assetAt('docs/reference.css', 'text/css; charset=utf-8', body);
}
