import { readFile } from 'node:fs/promises';
import type { Output } from '../../publish/outputs.ts';
import { type Asset, assetAt, publicPage } from '../asset.ts';
import { type Example, examplePath } from '../example.ts';
import { layout } from '../layout.ts';
import { pageScript } from '../page-script.ts';
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
  const outputs = await Promise.all(
    pages.map(async (page) => {
      const script = await scriptAsset(page);
      return [pageOutput(page, [siteStyle, style.url], script.url), script.output];
    }),
  );
  return [...outputs.flat(), style.output];
}

async function scriptAsset({ script }: DashboardPage): Promise<Asset> {
  return assetAt(`dashboard/${script}.js`, 'text/javascript; charset=utf-8', await pageScript(script));
}

function pageOutput(
  { path, title, description, place, aside, main }: DashboardPage,
  styles: readonly string[],
  script: string,
): Output {
  const parts = { title: `${title} · Pastpaper`, description, styles, script, main };
  return publicPage(path, layout({ ...parts, ...(place && { place }), ...(aside && { aside }) }));
}
