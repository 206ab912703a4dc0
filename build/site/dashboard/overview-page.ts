import { type Html, html } from '../html.ts';
import { type DashboardPage, formMessage, pageNotices } from './components.ts';

/** How long a rotated key can keep working, in seconds. */
const overlaps = [
  [0, 'Not at all: revoke it now'],
  [3600, '1 hour'],
  [86_400, '1 day'],
  [604_800, '7 days'],
] as const;

const defaultOverlap = 86_400;

const account = html`<div class="account" id="account" hidden>
<span class="address" id="address"></span>
<button class="button" type="button" id="sign-out">Sign out</button>
</div>`;

const createKey = html`<section class="card" aria-labelledby="create-title">
<h2 id="create-title">Create a key</h2>
<form method="post" class="fields" id="create-key">
<div class="field wide">
<label for="key-name">Name</label>
<input id="key-name" name="name" autocomplete="off" maxlength="100" aria-describedby="key-name-hint" required>
<p class="hint" id="key-name-hint">Where you use it, for example “laptop”.</p>
</div>
<div class="field">
<label for="key-expiry">Expires</label>
<select id="key-expiry" name="expiry" autocomplete="off">
<option value="30">in 30 days</option>
<option value="90" selected>in 90 days</option>
<option value="365">in 1 year</option>
<option value="never">never</option>
<option value="date">on a date…</option>
</select>
</div>
<div class="field" id="key-date-field" hidden>
<label for="key-date">Last day</label>
<input id="key-date" name="date" type="date" autocomplete="off">
</div>
<button class="button primary" type="submit" disabled>Create key</button>
${formMessage}
</form>
</section>`;

const newKey = html`<section class="card new-key" id="new-key" aria-labelledby="new-key-title" hidden>
<h2 id="new-key-title" tabindex="-1"></h2>
<p>Copy it now. It is shown only once.</p>
${copyable('The key', 'new-key-text', 'copy-key', 'the key')}
<p>Try it:</p>
${copyable('A request with the key', 'new-key-curl', 'copy-curl', 'the request')}
<p class="actions"><button class="button" type="button" id="new-key-done">I have copied it</button></p>
</section>`;

/** Text that the script fills in, with a button to copy it. */
function copyable(label: string, id: string, buttonId: string, noun: string): Html {
  return html`<div class="joined">
<pre tabindex="0" aria-label="${label}"><code id="${id}" translate="no"></code></pre>
<button class="button" type="button" id="${buttonId}">Copy<span class="unseen"> ${noun}</span></button>
</div>`;
}

const keyList = html`<section aria-labelledby="keys-title">
<h2 id="keys-title" tabindex="-1">Your keys</h2>
<p class="empty" id="no-keys" hidden>You have no active keys. Create one above and send it with your requests.</p>
<ul class="keys" id="live-keys"></ul>
<details class="ended" id="ended" hidden>
<summary id="ended-summary"></summary>
<ul class="keys" id="ended-keys"></ul>
</details>
<template id="key-row">
<li class="key">
<div class="key-head">
<h3 data-part="name" tabindex="-1"></h3>
<span data-part="state"></span>
<code data-part="start" translate="no"></code>
</div>
<dl>
<div><dt>Created</dt><dd data-part="created"></dd></div>
<div><dt data-part="end-name"></dt><dd data-part="end"></dd></div>
<div><dt>Last used</dt><dd data-part="last-used"></dd></div>
</dl>
<div class="actions" data-part="actions">
<button class="button" type="button" data-part="rotate">Rotate</button>
<button class="button danger" type="button" data-part="revoke">Revoke</button>
</div>
</li>
</template>
</section>`;

const sessionList = html`<section aria-labelledby="sessions-title">
<h2 id="sessions-title" tabindex="-1">Sessions</h2>
<p class="hint">Browsers in which you are signed in. End the ones that you do not recognize, and set a new password.</p>
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

const usage = html`<section class="card" aria-labelledby="usage-title">
<h2 id="usage-title">Usage</h2>
<p class="figure"><strong id="used"></strong> <span id="used-of"></span></p>
<progress id="used-share" aria-labelledby="usage-title"></progress>
<p class="hint" id="used-rest"></p>
<p class="empty" id="no-usage" hidden>No requests this month.</p>
<div id="usage-days" hidden>
<div class="axis"><span></span><span id="bars-max"></span></div>
<div class="bars" id="bars" role="img"></div>
<div class="axis"><span>1</span><span id="bars-end"></span></div>
<details>
<summary>Show data</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Requests by day">
<table class="numbers">
<thead><tr><th scope="col">Day (UTC)</th><th scope="col">Requests</th></tr></thead>
<tbody id="days"></tbody>
</table>
</div>
</details>
</div>
</section>`;

const limits = html`<section class="card" aria-labelledby="limits-title">
<h2 id="limits-title">Limits</h2>
<p id="limits"></p>
<h3>When a request gets 429</h3>
<p>You exceeded the rate limit or the monthly quota. Rejected requests are not counted. Wait the number of seconds in
<code>Retry-After</code>, then retry:</p>
<pre tabindex="0" aria-label="Headers of a 429"><code translate="no">HTTP/1.1 429 Too Many Requests
Retry-After: 1
RateLimit: "rate";r=0;t=1, …</code></pre>
<p>Every response to a request with a valid key has <code>RateLimit</code>: <code>r</code> is the number of requests
left, <code>t</code> the seconds until the limit resets. <a href="/docs/#keys">Read more in the reference</a></p>
</section>`;

const rotateDialog = html`<dialog id="rotate" aria-labelledby="rotate-title">
<form method="dialog">
<h2 id="rotate-title">Rotate “<span data-part="name"></span>”</h2>
<p>You get a new key with the same name. The old key can keep working until you have replaced it.</p>
<fieldset>
<legend>Keep the old key working for</legend>
${overlaps.map(
  ([seconds, text]) =>
    html`<label class="choice"><input type="radio" name="overlap" value="${seconds}"${
      seconds === defaultOverlap ? html` checked autofocus` : ''
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

const revokeDialog = html`<dialog id="revoke" aria-labelledby="revoke-title" aria-describedby="revoke-text">
<form method="dialog">
<h2 id="revoke-title">Revoke “<span data-part="name"></span>”?</h2>
<p id="revoke-text">Requests with <code data-part="start" translate="no"></code> will be rejected with 403. You cannot
undo this.</p>
${formMessage}
<div class="actions end">
<button class="button" type="button" data-part="cancel" autofocus>Cancel</button>
<button class="button bad" type="submit">Revoke key</button>
</div>
</form>
</dialog>`;

/** The page of a signed-in user: keys, sessions and usage. @param examplePath path of the request that is shown with a new key */
export function overviewPage(examplePath: string): DashboardPage {
  return {
    path: 'dashboard',
    title: 'Dashboard',
    description: 'Your API keys and their usage.',
    script: 'overview',
    place: '/dashboard/',
    aside: account,
    main: html`<main id="main" data-example="${examplePath}">
<h1 id="title" tabindex="-1">Dashboard</h1>
${pageNotices}
<p class="loading" id="loading" role="status">Loading your keys…</p>
<div class="columns" id="content" hidden>
<div>
${createKey}
${newKey}
${keyList}
${sessionList}
</div>
<div>
${usage}
${limits}
</div>
</div>
<p class="message toast" id="status" role="status"></p>
${rotateDialog}
${revokeDialog}
</main>`,
  };
}
