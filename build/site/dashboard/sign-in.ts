/** The pages that lead to the dashboard. */
import type { Bank } from '../../release/config.ts';
import { defaultPlan } from '../../release/plans.ts';
import { html } from '../html.ts';
import {
  askOperator,
  type DashboardPage,
  emailField,
  message,
  notices,
  passwordField,
  providers,
} from './components.ts';

/** Above what appears when the page is loaded, which moves nothing. */
const backToSignIn = html`<p class="crumbs"><a href="/dashboard/sign-in/">Back to sign in</a></p>`;

export function signInPage(bank: Bank): DashboardPage {
  const main = html`<main id="main" class="narrow">
<h1>Sign in</h1>
<p class="faint">Create API keys and see their usage.</p>
${notices}
<div class="card">
<form method="post" id="form">
${emailField}
${passwordField('current-password', 'Password', 'password')}
${message}
<button class="button primary" type="submit" disabled>Sign in</button>
</form>
<p><a href="/dashboard/forgot-password/">Forgot your password?</a></p>
${bank.signUp === 'open' && html`<p>No account yet? <a href="/dashboard/sign-up/">Sign up</a></p>`}
${providers}
</div>
</main>
`;
  return {
    title: 'Sign in',
    description: 'Sign in to create API keys and see their usage.',
    main,
  };
}

export function signUpPage(bank: Bank): DashboardPage {
  const main = html`<main id="main" class="narrow">
<div id="entry">
<h1>Sign up</h1>
<p class="faint">With an account, you can create API keys on the ${defaultPlan(bank.plans)} plan.</p>
${notices}
<div class="card">
<form method="post" id="form">
${emailField}
${passwordField('new-password', 'New password', 'password')}
${message}
<button class="button primary" type="submit" disabled>Sign up</button>
</form>
<p>Already have an account? <a href="/dashboard/sign-in/">Sign in</a></p>
${providers}
</div>
</div>
<div id="done" hidden>
<h1 id="done-title" tabindex="-1">Check your email</h1>
<div class="card">
<p>We sent an email to <strong data-part="email"></strong>. Open the link in it, then sign in.</p>
<p>No email after a few minutes? Check your spam folder, or <a href="/dashboard/sign-up/">sign up again</a>.
If you already have an account, <a href="/dashboard/sign-in/">sign in</a>.</p>
</div>
</div>
</main>
`;
  return {
    title: 'Sign up',
    description: 'Sign up to create API keys.',
    main,
  };
}

export function forgotPasswordPage(bank: Bank): DashboardPage {
  const main = html`<main id="main" class="narrow">
${backToSignIn}
<h1 id="title" tabindex="-1">Forgot your password?</h1>
${notices}
<p class="loading faint" id="loading" role="status">Loading…</p>
<div id="entry" hidden>
<p class="faint">We send you an email with a link to choose a new password.</p>
<div class="card">
<form method="post" id="form">
${emailField}
${message}
<button class="button primary" type="submit" disabled>Send the link</button>
</form>
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
</main>
`;
  return {
    title: 'Forgot your password?',
    description: 'Request a link to choose a new password.',
    main,
  };
}

export function resetPasswordPage(bank: Bank): DashboardPage {
  const main = html`<main id="main" class="narrow">
${backToSignIn}
<h1 id="title" tabindex="-1">Choose a new password</h1>
${notices}
<div id="entry" hidden>
<p class="faint">It replaces your old password. Your API keys do not change.</p>
<div class="card">
<form method="post" id="form">
${passwordField('new-password', 'New password', 'password')}
${message}
<button class="button primary" type="submit" disabled>Save the password</button>
</form>
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
</main>
`;
  return {
    title: 'Choose a new password',
    description: 'Choose a new password with the link from your email.',
    main,
  };
}
