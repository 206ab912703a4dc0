import { html } from '../html.ts';
import {
  type DashboardPage,
  emailField,
  formMessage,
  pageNotices,
  passwordField,
  providerButtons,
  submitButton,
} from './components.ts';

const signInPage: DashboardPage = {
  path: 'dashboard/sign-in',
  title: 'Sign in',
  description: 'Sign in to create API keys and see their usage.',
  script: 'sign-in',
  main: html`<main id="main" class="narrow">
<h1>Sign in</h1>
<p class="subtitle">Create API keys and see their usage.</p>
${pageNotices}
<div class="card">
<form method="post" id="form">
${emailField}
${passwordField('current-password')}
${formMessage}
${submitButton('Sign in')}
</form>
${providerButtons}
</div>
<p><a href="/dashboard/forgot-password/">Forgot your password?</a></p>
<p>No account yet? <a href="/dashboard/sign-up/">Sign up</a></p>
</main>`,
};

const signUpPage: DashboardPage = {
  path: 'dashboard/sign-up',
  title: 'Sign up',
  description: 'Sign up for an account with API keys.',
  script: 'sign-up',
  main: html`<main id="main" class="narrow">
<div id="entry">
<h1>Sign up</h1>
<p class="subtitle">An account includes API keys and a free plan.</p>
${pageNotices}
<div class="card">
<form method="post" id="form">
${emailField}
${passwordField('new-password')}
${formMessage}
${submitButton('Sign up')}
</form>
${providerButtons}
</div>
<p>Already have an account? <a href="/dashboard/sign-in/">Sign in</a></p>
</div>
<div id="done" hidden>
<h1 id="done-title" tabindex="-1">Check your email</h1>
<div class="card">
<p>We sent an email to <strong data-part="email"></strong>. Open the link in it, then sign in.</p>
<p>No email after a few minutes? Check your spam folder, or <a href="/dashboard/sign-up/">sign up again</a>.
If you already have an account, <a href="/dashboard/sign-in/">sign in</a>.</p>
</div>
</div>
</main>`,
};

const forgotPasswordPage: DashboardPage = {
  path: 'dashboard/forgot-password',
  title: 'Forgot your password?',
  description: 'Request a link to choose a new password.',
  script: 'forgot-password',
  main: html`<main id="main" class="narrow">
<h1 id="title" tabindex="-1">Forgot your password?</h1>
${pageNotices}
<p class="loading" id="loading" role="status">Loading…</p>
<div id="entry" hidden>
<p class="subtitle">We send you an email with a link to choose a new one.</p>
<div class="card">
<form method="post" id="form">
${emailField}
${formMessage}
${submitButton('Send the link')}
</form>
</div>
</div>
<div class="card" id="no-mail" hidden>
<p>This service does not send email. Ask its operator for a link to choose a new password.</p>
</div>
<div class="card" id="done" hidden>
<p>If <strong data-part="email"></strong> has an account, we sent an email with a link. The link works once and
expires soon.</p>
<p>No email after a few minutes? Check your spam folder, or <a href="/dashboard/forgot-password/">request another
link</a>.</p>
</div>
<p><a href="/dashboard/sign-in/">Back to sign in</a></p>
</main>`,
};

const resetPasswordPage: DashboardPage = {
  path: 'dashboard/reset-password',
  title: 'Choose a new password',
  description: 'Choose a new password with the link from your email.',
  script: 'reset-password',
  main: html`<main id="main" class="narrow">
<h1 id="title" tabindex="-1">Choose a new password</h1>
${pageNotices}
<div id="entry" hidden>
<p class="subtitle">It replaces your old password. Your API keys do not change.</p>
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
<p><a class="button primary" href="/dashboard/forgot-password/">Get a new link</a></p>
</div>
<div class="card" id="done" hidden>
<p>Your password has changed. Sign in with the new one.</p>
<p><a class="button primary" href="/dashboard/sign-in/">Sign in</a></p>
</div>
<p><a href="/dashboard/sign-in/">Back to sign in</a></p>
</main>`,
};

/** The pages for users who are not signed in. */
export const accountPages: readonly DashboardPage[] = [
  signInPage,
  signUpPage,
  forgotPasswordPage,
  resetPasswordPage,
];
