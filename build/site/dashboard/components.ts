import { type Html, html } from '../html.ts';
import type { PageParts } from '../layout.ts';

/** One page of the dashboard. */
export interface DashboardPage extends Pick<PageParts, 'title' | 'description' | 'place' | 'aside' | 'main'> {
  /** URL path without slashes at its ends. */
  readonly path: string;
  /** The page's script, as `pageScripts` in `program.js` names it. */
  readonly script: string;
}

/** Length of a password until the script has loaded the limits of the service. */
const passwordLength = { min: 10, max: 128 };

/** Notices about the whole page: no JavaScript, or the service cannot be reached. */
export const pageNotices: Html = html`<noscript><p class="card bad">This page needs JavaScript. Turn it on in your browser.</p></noscript>
<div class="card bad" id="load-error" role="alert" hidden>
<p id="load-error-text"></p>
<button class="button" type="button" id="retry">Retry</button>
</div>`;

/** Where a form shows its error. */
export const formMessage: Html = html`<p class="message bad" data-part="message" role="alert"></p>`;

export const emailField: Html = html`<div class="field">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required>
</div>`;

/** A field for the current password, or for a new one with limits to its length. */
export function passwordField(kind: 'current-password' | 'new-password'): Html {
  const isNew = kind === 'new-password';
  const { min, max } = passwordLength;
  const limits = isNew ? html` minlength="${min}" maxlength="${max}" aria-describedby="password-hint"` : '';
  return html`<div class="field">
<label for="password">${isNew ? 'New password' : 'Password'}</label>
<div class="joined">
<input id="password" name="password" type="password" autocomplete="${kind}" autocapitalize="none" spellcheck="false"${limits} required>
<button class="button" type="button" id="show-password" aria-pressed="false" aria-label="Show the password" hidden>Show</button>
</div>
${isNew ? html`<p class="hint" id="password-hint">At least ${min} characters.</p>` : ''}
</div>`;
}

/** A form with its submit button. The script enables it, so that no form is submitted without the script. */
export function form(fields: readonly Html[], submit: string): Html {
  return html`<form method="post" id="form">
${fields.map((field) => html`${field}\n`)}${formMessage}
<button class="button primary" type="submit" disabled>${submit}</button>
</form>`;
}

/** The script adds a button for each sign-in provider. */
export const providerButtons: Html = html`<div class="providers" id="providers" role="group" aria-label="Other ways to sign in" hidden>
<p class="hint">or</p>
</div>`;
