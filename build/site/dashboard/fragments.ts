import { type Html, html } from '../html.ts';

/** Bounds of a password until the service has told its own. */
const passwordBounds = { min: 10, max: 128 };

/** What stands in the way of the whole page: no script, or no answer from the service. */
export const obstacles: Html = html`<noscript><p class="notice">This page needs JavaScript, which your browser does not run.</p></noscript>
<div class="notice" id="trouble" role="alert" hidden>
<p id="trouble-text"></p>
<button class="button" type="button" id="retry">Retry</button>
</div>`;

/** Where a form says what went wrong. */
export const formMessage: Html = html`<p class="message" data-part="message" role="alert"></p>`;

export const emailField: Html = html`<div class="field">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required>
</div>`;

/** A password that the person has; `new-password` one that they choose, within bounds. */
export function passwordField(kind: 'current-password' | 'new-password'): Html {
  const isNew = kind === 'new-password';
  const { min, max } = passwordBounds;
  const bounds = isNew ? html` minlength="${min}" maxlength="${max}" aria-describedby="password-hint"` : '';
  return html`<div class="field">
<label for="password">${isNew ? 'New password' : 'Password'}</label>
<div class="joined">
<input id="password" name="password" type="password" autocomplete="${kind}" autocapitalize="none" spellcheck="false"${bounds} required>
<button class="button" type="button" id="show-password" aria-pressed="false" aria-label="Show the password" hidden>Show</button>
</div>
${isNew ? html`<p class="hint" id="password-hint">${min} characters or more.</p>` : ''}
</div>`;
}

/** The button that sends a form. It works from when the script does, so that no form is sent without it. */
export function submitButton(text: string): Html {
  return html`<button class="button primary full" type="submit" disabled>${text}</button>`;
}

/** Where the buttons of other services to sign in with are put. */
export const providers: Html = html`<div class="providers" id="providers" role="group" aria-label="Other ways" hidden>
<p class="or"><span>or</span></p>
</div>`;
