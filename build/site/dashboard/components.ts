import type { Bank } from '../../release/bank.ts';
import { type Html, html } from '../html.ts';
import { contactUrl, type PageParts } from '../layout.ts';

/** One page of the dashboard. */
export interface DashboardPage extends Pick<PageParts, 'title' | 'description' | 'place' | 'below' | 'aside' | 'main'> {
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

/**
 * A field for the current password, or for a new one with limits to its length.
 *
 * @param kind the field's `autocomplete`
 * @param id also the field's name
 */
export function passwordField(
  kind: 'current-password' | 'new-password',
  label = kind === 'new-password' ? 'New password' : 'Password',
  id = 'password',
): Html {
  const isNew = kind === 'new-password';
  const { min, max } = passwordLength;
  const limits = isNew ? html` minlength="${min}" maxlength="${max}" aria-describedby="password-hint"` : '';
  return html`<div class="field">
<label for="${id}">${label}</label>
<div class="joined">
<input id="${id}" name="${id}" type="password" autocomplete="${kind}" autocapitalize="none" spellcheck="false"${limits} required>
<button class="button" type="button" data-shows="${id}" aria-pressed="false" aria-label="Show the password" hidden>Show</button>
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

/** The operator, with a link to the contact if there is one. */
export function operator({ contact }: Bank): Html {
  const text = 'the operator of this service';
  return contact === undefined ? html`${text}` : html`<a href="${contactUrl(contact)}">${text}</a>`;
}

/** What to do about a forgotten password where no mail is sent. */
export function askOperator(bank: Bank): Html {
  return html`<p>This service does not send email. Ask ${operator(bank)} for a link to choose a new password. The operator creates it
with the command <code translate="no">accounts reset-link</code> and your email address.</p>
<p>The link works once and is valid for one hour.</p>`;
}

/** Who is signed in, and the button to sign out, at the end of the header bar. */
export const signedInBar: Html = html`<div class="account" id="account" hidden>
<a class="address" id="address" href="/dashboard/account/"></a>
<button class="button" type="button" id="sign-out">Sign out</button>
</div>`;

/** The message at the edge of the window. */
export const toast: Html = html`<p class="message toast" id="status" role="status"></p>`;

/**
 * A dialog with a form that asks for confirmation.
 *
 * @param content its title and what it asks, with the ids `ID-title` and `ID-text`
 * @param submit the submit button
 */
export function dialog(id: string, content: Html, submit: Html): Html {
  return html`<dialog id="${id}" aria-labelledby="${id}-title" aria-describedby="${id}-text">
<form method="dialog">
${content}
${formMessage}
<div class="actions end">
<button class="button" type="button" data-part="cancel" autofocus>Cancel</button>
${submit}
</div>
</form>
</dialog>`;
}

/** The script adds a button for each sign-in provider. */
export const providerButtons: Html = html`<div class="providers" id="providers" role="group" aria-label="Other ways to sign in" hidden>
<p class="hint">or</p>
</div>`;
