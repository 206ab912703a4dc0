import type { Output } from '../../compile/response.ts';
import type { Bank } from '../../release/bank.ts';
import { publicPage, scriptAsset, styleAsset } from '../assets.ts';
import { layout, type Site } from '../layout.ts';
import { accountPage } from './account-page.ts';
import type { DashboardPage } from './components.ts';
import { overviewPage } from './overview-page.ts';
import { signInPages } from './sign-in-pages.ts';

/** @param examplePath path of the request that is shown with a new key */
export function dashboardPages(bank: Bank, examplePath: string): DashboardPage[] {
  return [overviewPage(bank, examplePath), accountPage, ...signInPages(bank)].filter(
    ({ script }) => script !== 'sign-up' || bank.signUp === 'open',
  );
}

/**
 * The pages of the dashboard, their style sheet and their scripts.
 *
 * @param examplePath path of the request that is shown with a new key
 */
export async function dashboardOutputs(site: Site, examplePath: string): Promise<Output[]> {
  const style = await styleAsset('dashboard/dashboard.css', new URL('dashboard.css', import.meta.url));
  const outputs = await Promise.all(
    dashboardPages(site.bank, examplePath).map(async ({ path, script: name, ...page }) => {
      const script = await scriptAsset(`dashboard/${name}.js`, name);
      const text = layout(site, { ...page, style: style.url, script: script.url });
      return [publicPage(path, text), script.output];
    }),
  );
  return [...outputs.flat(), style.output];
}
