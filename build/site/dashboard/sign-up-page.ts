import { html } from '../html.ts';
import { emailField, formMessage, obstacles, passwordField, providers, submitButton } from './fragments.ts';
import type { DashboardPage } from './pages.ts';

export const signUpPage: DashboardPage = {
  path: 'dashboard/sign-up',
  title: 'Sign up',
  description: 'Sign up for an account with API keys.',
  script: 'sign-up',
  main: html`<main id="main" class="narrow">
<div id="ask">
<h1>Sign up</h1>
<p class="under">An account has API keys, and a free plan to use them on.</p>
${obstacles}
<div class="card">
<form method="post" id="form">
${emailField}
${passwordField('new-password')}
${formMessage}
${submitButton('Sign up')}
</form>
${providers}
</div>
<p class="after">An account already? <a href="/dashboard/sign-in/">Sign in</a></p>
</div>
<div id="done" hidden>
<h1 id="done-title" tabindex="-1">Look for our mail</h1>
<div class="card">
<p>A mail is on its way to <strong data-part="email"></strong>. Open the link in it, then sign in.</p>
<p>Nothing there after some minutes? Look among the spam, or <a href="/dashboard/sign-up/">sign up once more</a>.
If the address has an account already, <a href="/dashboard/sign-in/">sign in</a>.</p>
</div>
</div>
</main>`,
};
