import { readFile } from 'node:fs/promises';
import type { Output } from '../../compile/response.ts';
import { assetAt, pageScript, publicPage } from '../assets.ts';
import { layout } from '../layout.ts';
import { accountPages } from './account-pages.ts';
import type { DashboardPage } from './components.ts';
import { overviewPage } from './overview-page.ts';

/** @param examplePath path of the request that is shown with a new key */
export function dashboardPages(examplePath: string): DashboardPage[] {
  return [overviewPage(examplePath), ...accountPages];
}

/**
 * The pages of the dashboard, their style sheet and their scripts.
 *
 * @param siteStyle URL of the style sheet that all pages share
 * @param examplePath path of the request that is shown with a new key
 */
export async function dashboardOutputs(siteStyle: string, examplePath: string): Promise<Output[]> {
  const css = await readFile(new URL('dashboard.css', import.meta.url));
  const style = assetAt('dashboard/dashboard.css', 'text/css; charset=utf-8', css);
  const outputs = await Promise.all(
    dashboardPages(examplePath).map(async ({ path, script, title, ...page }) => {
      const js = assetAt(
        `dashboard/${script}.js`,
        'text/javascript; charset=utf-8',
        await pageScript(script),
      );
      const parts = {
        ...page,
        title: `${title} · Pastpaper`,
        styles: [siteStyle, style.url],
        script: js.url,
      };
      return [publicPage(path, layout(parts)), js.output];
    }),
  );
  return [...outputs.flat(), style.output];
}
