import { html } from '../html.ts';
import { type DashboardPage, dialog, form, pageNotices, passwordField, signedInBar, toast } from './components.ts';

const password = html`<section class="card" id="password-section" aria-labelledby="password-title">
<h2 id="password-title">Password</h2>
<div id="change-password">
<p class="hint">A new password signs you out in all other browsers. Your API keys do not change.</p>
${form(
  [passwordField('current-password', 'Current password', 'current-password'), passwordField('new-password')],
  'Save the password',
)}
</div>
<p id="no-password" hidden>You sign in through another service, so this account has no password.</p>
</section>`;

const sessions = html`<section aria-labelledby="sessions-title">
<h2 id="sessions-title" tabindex="-1">Sessions</h2>
<p class="hint">Browsers where you are signed in. End sessions that you do not recognize, and choose a new password.</p>
<ul class="keys" id="sessions"></ul>
<template id="session-row">
<li class="key">
<div class="key-head">
<h3 data-part="browser"></h3>
<span class="badge good" data-part="current">This browser</span>
</div>
<dl>
<div><dt>Signed in</dt><dd data-part="created"></dd></div>
<div><dt>Last used</dt><dd data-part="last-used"></dd></div>
</dl>
<div class="actions" data-part="actions">
<button class="button danger" type="button" data-part="end">End</button>
</div>
</li>
</template>
</section>`;

const deletion = html`<section class="card" aria-labelledby="deletion-title">
<h2 id="deletion-title">Delete the account</h2>
<p>Deletes your account with <strong id="deleted-keys"></strong>, their usage and all sessions. Programs that use the keys get 403
immediately. You cannot undo this.</p>
<p class="actions"><button class="button danger" type="button" id="open-delete">Delete account…</button></p>
</section>`;

const deleteDialog = dialog(
  'delete',
  html`<h2 id="delete-title">Delete <span data-part="email"></span>?</h2>
<p id="delete-text">This permanently deletes the account and its keys.</p>
<div id="delete-password-field">${passwordField('current-password', 'Password', 'delete-password')}</div>`,
  html`<button class="button bad" type="submit">Delete account</button>`,
);

/** The account of a signed-in user: password, sessions, and deletion. */
export const accountPage: DashboardPage = {
  path: 'dashboard/account',
  title: 'Account',
  description: 'Change your password, end sessions, or delete your account.',
  script: 'account',
  below: '/dashboard/',
  aside: signedInBar,
  main: html`<main id="main">
<h1 id="title" tabindex="-1">Account</h1>
${pageNotices}
<p class="loading" id="loading" role="status">Loading your account…</p>
<div id="content" hidden>
<p class="subtitle"><span id="email"></span>, <span id="account-plan"></span> plan, since <span id="since"></span></p>
<div class="columns">
<div>
${sessions}
</div>
<div>
${password}
${deletion}
</div>
</div>
</div>
${toast}
${deleteDialog}
</main>`,
};
