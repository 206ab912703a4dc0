import type { Output } from '../../compile/response.ts';
import { publicPage, scriptAsset, styleAsset } from '../assets.ts';
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
  const style = await styleAsset('dashboard/dashboard.css', new URL('dashboard.css', import.meta.url));
  const outputs = await Promise.all(
    dashboardPages(examplePath).map(async ({ path, script: name, title, ...page }) => {
      const script = await scriptAsset(`dashboard/${name}.js`, name);
      const styles = [siteStyle, style.url];
      const text = layout({ ...page, title: `${title} · Pastpaper`, styles, script: script.url });
      return [publicPage(path, text), script.output];
    }),
  );
  return [...outputs.flat(), style.output];
}
