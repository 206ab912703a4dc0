/** Parts that several pages of the dashboard share. */
import type { Bank } from '../../release/config.ts';
import { type Html, html, verbatim } from '../html.ts';
import { contactUrl } from '../layout.ts';

/** A page without what all pages share. */
export interface DashboardPage {
  readonly title: string;
  readonly description: string;
  readonly main: Html;
}

/** Length of a password until the script has loaded the limits of the service. */
const passwordLength = { min: 10, max: 128 };

/** What a page says without JavaScript, and when it cannot be loaded. */
export const notices = html`<noscript><p class="card bad">This page needs JavaScript. Turn it on in your browser.</p></noscript>
<div class="card bad" id="load-error" role="alert" hidden>
<p id="load-error-text"></p>
<button class="button" type="button" id="retry">Retry</button>
</div>`;

/** What is wrong with a form. */
export const message = html`<p class="message bad" data-part="message" role="alert"></p>`;

/** What has happened. */
export const toast = html`<p class="message toast" id="status" role="status"></p>`;

export const cancelButton = html`<button class="button" type="button" data-part="cancel" autofocus>Cancel</button>`;

/** The end of the header bar for a signed-in user. */
export const accountAside = html`<div class="account" id="account" hidden>
<a class="address" id="address" href="/dashboard/account/"></a>
<button class="button" type="button" id="sign-out">Sign out</button>
</div>`;

/** The head of a table whose last column has buttons. @param texts names of columns of text @param numbers those of numbers */
export function tableHead(texts: readonly string[], numbers: readonly string[] = []): Html {
  const cells = texts.map((name) => html`<th scope="col" class="text">${name}</th>`);
  const ofNumbers = numbers.map((name) => html`<th scope="col">${name}</th>`);
  return html`<thead><tr>${cells}${ofNumbers}<td></td></tr></thead>`;
}

export const emailField = html`<div class="field">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="email" ${verbatim} maxlength="254" required>
</div>`;

export const providers = html`<div class="field" id="providers" role="group" aria-label="Other ways to sign in" hidden>
<p class="hint">or</p>
</div>`;

/** @param kind as browsers know it: `new-password`, `current-password` @param id unique on the page */
export function passwordField(
  kind: 'new-password' | 'current-password',
  label: string,
  id: string,
): Html {
  const { min, max } = passwordLength;
  const isNew = kind === 'new-password';
  const limits = html` minlength="${min}" maxlength="${max}" aria-describedby="password-hint"`;
  return html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${id}" type="password" autocomplete="${kind}" ${verbatim}${isNew && limits} required>
${isNew && html`<p class="hint" id="password-hint">At least ${min} characters.</p>`}
</div>`;
}

/** The operator, with a link to a contact if there is one. */
export function operator({ contact }: Bank): Html {
  const name = 'the operator of this service';
  return contact === undefined ? html`${name}` : html`<a href="${contactUrl(contact)}">${name}</a>`;
}

/** What to do where the service sends no email. */
export function askOperator(bank: Bank): Html {
  return html`<p>This service does not send email. Ask ${operator(bank)} for a link to choose a new password. The operator creates it
with the command <code translate="no">accounts reset-link</code> and your email address.</p>
<p>The link works once and is valid for one hour.</p>`;
}
