import type { PageParts } from '../layout.ts';
import { forgotPasswordPage } from './forgot-password-page.ts';
import { overviewPage } from './overview-page.ts';
import { resetPasswordPage } from './reset-password-page.ts';
import { signInPage } from './sign-in-page.ts';
import { signUpPage } from './sign-up-page.ts';

/** One page of the dashboard. */
export interface DashboardPage extends Pick<PageParts, 'title' | 'description' | 'place' | 'aside' | 'main'> {
  /** URL path without slashes at its ends. */
  readonly path: string;
  /** The module in `browser/` that runs on it, without its ending. */
  readonly script: string;
}

/** @param examplePath of the request that a new key is shown with */
export function dashboardPages(examplePath: string): DashboardPage[] {
  return [overviewPage(examplePath), signInPage, signUpPage, forgotPasswordPage, resetPasswordPage];
}
