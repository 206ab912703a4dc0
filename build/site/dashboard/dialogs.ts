import { type Html, html } from '../html.ts';
import { formMessage } from './fragments.ts';

/** Seconds for which a rotated key may go on working, as a person says them. */
const overlaps = [
  [0, 'Not at all: it stops at once'],
  [3600, '1 hour'],
  [86_400, '1 day'],
  [604_800, '7 days'],
] as const;

const usualOverlap = 86_400;

export const rotateDialog: Html = html`<dialog id="rotate" aria-labelledby="rotate-title">
<form method="dialog">
<h2 id="rotate-title">Rotate “<span data-part="name"></span>”</h2>
<p>You get a new key of the same name. Until you have put it in its place, the old one can go on working.</p>
<fieldset>
<legend>The old key works on for</legend>
${overlaps.map(
  ([seconds, text]) =>
    html`<label class="choice"><input type="radio" name="overlap" value="${seconds}"${
      seconds === usualOverlap ? html` checked autofocus` : ''
    }> ${text}</label>
`,
)}</fieldset>
${formMessage}
<div class="actions end">
<button class="button" type="button" data-part="cancel">Cancel</button>
<button class="button primary" type="submit">Rotate key</button>
</div>
</form>
</dialog>`;

export const revokeDialog: Html = html`<dialog id="revoke" aria-labelledby="revoke-title" aria-describedby="revoke-text">
<form method="dialog">
<h2 id="revoke-title">Revoke “<span data-part="name"></span>”?</h2>
<p id="revoke-text">Requests with <code data-part="start" translate="no"></code> are refused from then on, with 403. A revoked
key cannot be brought back.</p>
${formMessage}
<div class="actions end">
<button class="button" type="button" data-part="cancel" autofocus>Cancel</button>
<button class="button danger solid" type="submit">Revoke key</button>
</div>
</form>
</dialog>`;
