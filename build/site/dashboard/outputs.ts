import { readFile } from 'node:fs/promises';
import type { Output } from '../../publish/outputs.ts';
import { type Asset, assetAt, publicPage } from '../asset.ts';
import { bundleScripts } from '../bundle.ts';
import { type Example, examplePath } from '../example.ts';
import { layout } from '../layout.ts';
import { type DashboardPage, dashboardPages } from './pages.ts';

/**
 * The pages of the dashboard, their style and their scripts.
 *
 * @param siteStyle address of the style that all pages share
 * @param example a paper of the bank, for the request that a new key is shown with
 */
export async function dashboardOutputs(siteStyle: string, example: Example): Promise<Output[]> {
  const pages = dashboardPages(examplePath(example));
  const style = assetAt(
    'dashboard/dashboard.css',
    'text/css; charset=utf-8',
    await readFile(new URL('dashboard.css', import.meta.url)),
  );
  const bundles = await bundleScripts(
    new URL('browser/', import.meta.url),
    pages.map(({ script }) => script),
  );
  const outputs = pages.flatMap((page) => {
    const script = scriptAsset(page, bundles);
    return [pageOutput(page, [siteStyle, style.url], script.url), script.output];
  });
  return [...outputs, style.output];
}

function scriptAsset({ script }: DashboardPage, bundles: ReadonlyMap<string, Buffer>): Asset {
  const bundle = bundles.get(script);
  if (!bundle) throw new Error(`The bundler made no ${script}.js.`);
  return assetAt(`dashboard/${script}.js`, 'text/javascript; charset=utf-8', bundle);
}

function pageOutput(
  { path, title, description, place, aside, main }: DashboardPage,
  styles: readonly string[],
  script: string,
): Output {
  const parts = { title: `${title} · Pastpaper`, description, styles, script, main };
  return publicPage(path, layout({ ...parts, ...(place && { place }), ...(aside && { aside }) }));
}
