import type { Bank } from '../../release/bank.ts';
import { defaultPlan } from '../../release/plans.ts';
import { type Html, html } from '../html.ts';
import {
  askOperator,
  type DashboardPage,
  emailField,
  form,
  pageNotices,
  passwordField,
  providerButtons,
} from './components.ts';

/** The pages for users who are not signed in. A release has the page to sign up only where the bank lets visitors do so. */
export const signInPages = (bank: Bank): readonly DashboardPage[] => [
  signInPage(
    'sign-in',
    'Sign in',
    'Sign in to create API keys and see their usage.',
    html`<h1>Sign in</h1>
<p class="subtitle">Create API keys and see their usage.</p>
${pageNotices}
<div class="card">
${form([emailField, passwordField('current-password')], 'Sign in')}
${providerButtons}
</div>
<p><a href="/dashboard/forgot-password/">Forgot your password?</a></p>
${bank.signUp === 'open' ? html`<p>No account yet? <a href="/dashboard/sign-up/">Sign up</a></p>` : ''}`,
  ),
  signInPage(
    'sign-up',
    'Sign up',
    'Sign up to create API keys.',
    html`<div id="entry">
<h1>Sign up</h1>
<p class="subtitle">With an account, you can create API keys on the ${defaultPlan(bank.plans)} plan.</p>
${pageNotices}
<div class="card">
${form([emailField, passwordField('new-password')], 'Sign up')}
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
</div>`,
  ),
  signInPage(
    'forgot-password',
    'Forgot your password?',
    'Request a link to choose a new password.',
    html`<h1 id="title" tabindex="-1">Forgot your password?</h1>
${pageNotices}
<p class="loading" id="loading" role="status">Loading…</p>
<div id="entry" hidden>
<p class="subtitle">We send you an email with a link to choose a new password.</p>
<div class="card">
${form([emailField], 'Send the link')}
</div>
</div>
<div class="card" id="no-mail" hidden>
${askOperator(bank)}
</div>
<div class="card" id="done" hidden>
<p>If <strong data-part="email"></strong> has an account, we sent an email with a link. The link works once and
is valid for one hour.</p>
<p>No email after a few minutes? Check your spam folder, or <a href="/dashboard/forgot-password/">request another
link</a>.</p>
</div>
<p><a href="/dashboard/sign-in/">Back to sign in</a></p>`,
  ),
  signInPage(
    'reset-password',
    'Choose a new password',
    'Choose a new password with the link from your email.',
    html`<h1 id="title" tabindex="-1">Choose a new password</h1>
${pageNotices}
<div id="entry" hidden>
<p class="subtitle">It replaces your old password. Your API keys do not change.</p>
<div class="card">
${form([passwordField('new-password')], 'Save the password')}
</div>
</div>
<div class="card" id="no-token" hidden>
<p id="no-token-text"></p>
<p id="new-link" hidden><a class="button primary" href="/dashboard/forgot-password/">Get a new link</a></p>
<div id="no-mail" hidden>
${askOperator(bank)}
</div>
</div>
<div class="card" id="done" hidden>
<p>Your password has changed. Sign in with the new one.</p>
<p><a class="button primary" href="/dashboard/sign-in/">Sign in</a></p>
</div>
<p><a href="/dashboard/sign-in/">Back to sign in</a></p>`,
  ),
];

function signInPage(script: string, title: string, description: string, content: Html): DashboardPage {
  return {
    path: `dashboard/${script}`,
    title,
    description,
    script,
    main: html`<main id="main" class="narrow">
${content}
</main>`,
  };
}
