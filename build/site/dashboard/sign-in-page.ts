import { html } from '../html.ts';
import { emailField, formMessage, obstacles, passwordField, providers, submitButton } from './fragments.ts';
import type { DashboardPage } from './pages.ts';

export const signInPage: DashboardPage = {
  path: 'dashboard/sign-in',
  title: 'Sign in',
  description: 'Sign in to make API keys and to see their usage.',
  script: 'sign-in',
  main: html`<main id="main" class="narrow">
<h1>Sign in</h1>
<p class="under">Make API keys, and see what they are used for.</p>
${obstacles}
<div class="card">
<form method="post" id="form">
${emailField}
${passwordField('current-password')}
${formMessage}
${submitButton('Sign in')}
</form>
${providers}
</div>
<p class="after"><a href="/dashboard/forgot-password/">Forgot your password?</a></p>
<p class="after">No account yet? <a href="/dashboard/sign-up/">Sign up</a></p>
</main>`,
};
