/** The pages of the dashboard. */
import type { Output } from '../../compile/response.ts';
import type { Bank } from '../../release/config.ts';
import { scriptAsset } from '../assets.ts';
import { type Site, sitePage } from '../layout.ts';
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
 * The pages of the dashboard and their scripts.
 *
 * @param examplePath path of the request that is shown with a new key
 */
export async function dashboardOutputs(site: Site, examplePath: string): Promise<Output[]> {
  const outputs = await Promise.all(
    dashboardPages(site.bank, examplePath).map(async ({ path, script: name, ...page }) => {
      const script = await scriptAsset(`dashboard/${name}.js`, name);
      return [sitePage(site, path, { ...page, script: script.url }), script.output];
    }),
  );
  return outputs.flat();
}
