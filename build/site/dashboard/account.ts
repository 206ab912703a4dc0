import { html } from '../html.ts';
import {
  cancelButton,
  type DashboardPage,
  message,
  notices,
  passwordField,
  tableHead,
  toast,
} from './components.ts';

/** The page for the password, the sessions and the end of an account. */
export function accountPage(): DashboardPage {
  const main = html`<main id="main">
<h1 id="title" tabindex="-1">Account</h1>
${notices}
<p class="loading faint" id="loading" role="status">Loading your account…</p>
<div id="content" hidden>
<p class="faint"><span id="email"></span>, <span id="account-plan"></span> plan, since <span id="since"></span></p>
<section aria-labelledby="sessions-title">
<h2 id="sessions-title" tabindex="-1">Sessions</h2>
<p class="hint">Browsers where you are signed in. End sessions that you do not recognize, and choose a new password.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Sessions, table">
<table class="numbers named">${tableHead(['Browser', 'Signed in', 'Last used'])}<tbody id="sessions"></tbody></table>
</div>
<template id="session-row">
<tr>
<th scope="row" data-part="browser"></th>
<td class="text" data-name="Signed in" data-part="created"></td>
<td class="text" data-name="Last used" data-part="last-used"></td>
<td data-name=""><span class="badge good" data-part="current">This browser</span>
<button class="button danger" type="button" data-part="end">End</button></td>
</tr>
</template>
</section>
<div class="columns">
<section class="card" id="password-section" aria-labelledby="password-title">
<h2 id="password-title">Password</h2>
<div id="change-password">
<form method="post" id="form">
<p class="hint">A new password signs you out in all other browsers. Your API keys do not change.</p>
${passwordField('current-password', 'Current password', 'current-password')}
${passwordField('new-password', 'New password', 'password')}
${message}
<button class="button primary" type="submit" disabled>Save the password</button>
</form>
</div>
<p id="no-password" hidden>You sign in through another service, so this account has no password.</p>
</section>
<div>
<section class="card" id="emails" aria-labelledby="emails-title" hidden>
<h2 id="emails-title">Emails</h2>
<p><label><input type="checkbox" id="quota-mail"> Email me when 80 % of the month's quota is used</label></p>
</section>
<section class="card" aria-labelledby="deletion-title">
<h2 id="deletion-title">Delete the account</h2>
<p>Deletes your account with <strong id="deleted-keys"></strong>, their usage and all sessions. Programs that use the keys get 403
immediately. You cannot undo this.</p>
<p class="actions"><button class="button bad" type="button" id="open-delete">Delete account…</button></p>
</section>
</div>
</div>
</div>
${toast}
<dialog id="delete" aria-labelledby="delete-title" aria-describedby="delete-text">
<form method="dialog">
<h2 id="delete-title">Delete <span data-part="email"></span>?</h2>
<p id="delete-text">This permanently deletes the account and its keys.</p>
<div id="delete-password-field">${passwordField('current-password', 'Password', 'delete-password')}</div>
${message}
<div class="actions end">
${cancelButton}
<button class="button bad" type="submit">Delete account</button>
</div>
</form>
</dialog>
</main>
`;
  return {
    title: 'Account',
    description: 'Change your password, end sessions, or delete your account.',
    main,
  };
}
