import { html } from '../html.ts';
import { emailField, formMessage, obstacles, submitButton } from './fragments.ts';
import type { DashboardPage } from './pages.ts';

export const forgotPasswordPage: DashboardPage = {
  path: 'dashboard/forgot-password',
  title: 'Forgot your password?',
  description: 'Ask for a link to choose a new password with.',
  script: 'forgot-password',
  main: html`<main id="main" class="narrow">
<h1 id="title" tabindex="-1">Forgot your password?</h1>
${obstacles}
<p class="loading" id="loading" role="status">Loading…</p>
<div id="ask" hidden>
<p class="under">You get a mail with a link, and choose a new one there.</p>
<div class="card">
<form method="post" id="form">
${emailField}
${formMessage}
${submitButton('Send the link')}
</form>
</div>
</div>
<div class="card" id="no-mail" hidden>
<p>This service sends no mail, so it cannot send you a link. Ask its operator: they can make you a link to choose a
new password with.</p>
</div>
<div class="card" id="done" hidden>
<p>If <strong data-part="email"></strong> has an account, a mail with a link is on its way. The link works for a
short time, and once.</p>
<p>Nothing there after some minutes? Look among the spam, or <a href="/dashboard/forgot-password/">ask once
more</a>.</p>
</div>
<p class="after"><a href="/dashboard/sign-in/">Back to sign in</a></p>
</main>`,
};
