/** The pages of the dashboard. */
import type { Output } from '../../compile/response.ts';
import type { Bank } from '../../release/config.ts';
import { publicPage, scriptAsset, styleAsset } from '../assets.ts';
import { layout, type Site } from '../layout.ts';
import { accountPage } from './account.ts';
import { accountAside } from './components.ts';
import { overviewPage } from './overview.ts';
import { forgotPasswordPage, resetPasswordPage, signInPage, signUpPage } from './sign-in.ts';

/**
 * The pages: two for signed-in users, and those that lead there. There is one to sign up where the bank lets visitors.
 * Each has the name of its script.
 *
 * @param examplePath path of the request that is shown with a new key
 */
export function dashboardPages(bank: Bank, examplePath: string) {
  const place = '/dashboard/';
  const signedIn = [
    { script: 'overview', path: 'dashboard', place, ...overviewPage(bank, examplePath) },
    { script: 'account', path: 'dashboard/account', below: place, ...accountPage() },
  ];
  const others = {
    'sign-in': signInPage(bank),
    ...(bank.signUp === 'open' && { 'sign-up': signUpPage(bank) }),
    'forgot-password': forgotPasswordPage(bank),
    'reset-password': resetPasswordPage(bank),
  };
  return [
    ...signedIn.map((page) => ({ ...page, aside: accountAside })),
    ...Object.entries(others).map(([script, page]) => ({
      script,
      path: `dashboard/${script}`,
      ...page,
    })),
  ];
}

/**
 * The pages of the dashboard, their style sheet and their scripts.
 *
 * @param examplePath path of the request that is shown with a new key
 */
export async function dashboardOutputs(site: Site, examplePath: string): Promise<Output[]> {
  const style = await styleAsset(
    'dashboard/dashboard.css',
    new URL('dashboard.css', import.meta.url),
  );
  const outputs = await Promise.all(
    dashboardPages(site.bank, examplePath).map(async ({ path, script: name, ...page }) => {
      const script = await scriptAsset(`dashboard/${name}.js`, name);
      const text = layout(site, { ...page, style: style.url, script: script.url });
      return [publicPage(path, text), script.output];
    }),
  );
  return [...outputs.flat(), style.output];
}
