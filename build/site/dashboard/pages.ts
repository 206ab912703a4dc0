/** The pages of the dashboard: an HTML file each, in this folder, with the parts of `components.html`. */
import type { Output } from '../../compile/response.ts';
import type { Bank } from '../../release/bank.ts';
import { defaultPlan } from '../../release/plans.ts';
import { publicPage, scriptAsset, styleAsset } from '../assets.ts';
import type { Html } from '../html.ts';
import { contactUrl, layout, type Site } from '../layout.ts';
import { filledPage, readParts, type Values } from '../template.ts';

/** Length of a password until the script has loaded the limits of the service. */
const passwordLength = { min: 10, max: 128 };

/**
 * The pages: two for signed-in users, and those that lead there. There is one to sign up where the bank lets visitors.
 *
 * @param examplePath path of the request that is shown with a new key
 */
export function dashboardPages(bank: Bank, examplePath: string) {
  const part = readParts('components.html', import.meta.url);
  const operator = part('operator', { contact: bank.contact && contactUrl(bank.contact) });
  const values: Values = {
    examplePath,
    operator,
    askOperator: part('askOperator', { operator }),
    plan: defaultPlan(bank.plans),
    signUp: bank.signUp === 'open',
    password: (kind = '', label = '', id = '') =>
      part('password', { kind, label, id, isNew: kind === 'new-password', ...passwordLength }),
  };
  for (const name of ['notices', 'message', 'toast', 'cancel', 'email', 'providers'])
    values[name] = part(name);
  const page = (
    script: string,
    path: string,
    more: { place?: string; below?: string; aside?: Html } = {},
  ) => {
    return { script, path, ...filledPage(`${script}.html`, import.meta.url, values), ...more };
  };
  const aside = part('account');
  const signInPages = ['sign-in', 'sign-up', 'forgot-password', 'reset-password'].map((name) =>
    page(name, `dashboard/${name}`),
  );
  return [
    page('overview', 'dashboard', { place: '/dashboard/', aside }),
    page('account', 'dashboard/account', { below: '/dashboard/', aside }),
    ...signInPages.filter(({ script }) => script !== 'sign-up' || bank.signUp === 'open'),
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
