import { html } from '../html.ts';
import { formMessage, obstacles, passwordField, submitButton } from './fragments.ts';
import type { DashboardPage } from './pages.ts';

export const resetPasswordPage: DashboardPage = {
  path: 'dashboard/reset-password',
  title: 'Choose a new password',
  description: 'Choose a new password with the link that you got.',
  script: 'reset-password',
  main: html`<main id="main" class="narrow">
<h1 id="title" tabindex="-1">Choose a new password</h1>
${obstacles}
<div id="ask" hidden>
<p class="under">It replaces the old one. Your API keys stay as they are.</p>
<div class="card">
<form method="post" id="form">
${passwordField('new-password')}
${formMessage}
${submitButton('Save the password')}
</form>
</div>
</div>
<div class="card" id="no-token" hidden>
<p id="no-token-text"></p>
<p><a class="button primary full" href="/dashboard/forgot-password/">Get a new link</a></p>
</div>
<div class="card" id="done" hidden>
<p>Your password is changed. Sign in with the new one.</p>
<p><a class="button primary full" href="/dashboard/sign-in/">Sign in</a></p>
</div>
<p class="after"><a href="/dashboard/sign-in/">Back to sign in</a></p>
</main>`,
};
