import { html } from '../html.ts';
import { revokeDialog, rotateDialog } from './dialogs.ts';
import { formMessage, obstacles } from './fragments.ts';
import type { DashboardPage } from './pages.ts';

const account = html`<div class="account" id="account" hidden>
<span class="address" id="address"></span>
<button class="button" type="button" id="sign-out">Sign out</button>
</div>`;

const makeKey = html`<section class="card" aria-labelledby="make-title">
<h2 id="make-title">Make a key</h2>
<form method="post" class="row" id="make-key">
<div class="field grow">
<label for="key-name">Name</label>
<input id="key-name" name="name" autocomplete="off" maxlength="100" aria-describedby="key-name-hint" required>
<p class="hint" id="key-name-hint">What will use it, like “laptop”.</p>
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
<button class="button primary" type="submit" disabled>Make key</button>
${formMessage}
</form>
</section>`;

const newKey = html`<section class="card new-key" id="new-key" aria-labelledby="new-key-title" hidden>
<h2 id="new-key-title" tabindex="-1"></h2>
<p>Copy it now: it is shown this once, and nobody can look it up later.</p>
<div class="secret">
<pre tabindex="0" aria-label="The key"><code id="new-key-text" translate="no"></code></pre>
<button class="button" type="button" id="copy-key">Copy<span class="unseen"> the key</span></button>
</div>
<p>Try it:</p>
<div class="secret">
<pre tabindex="0" aria-label="A request with the key"><code id="new-key-curl" translate="no"></code></pre>
<button class="button" type="button" id="copy-curl">Copy<span class="unseen"> the request</span></button>
</div>
<p class="actions"><button class="button" type="button" id="new-key-done">I have copied it</button></p>
</section>`;

const keyList = html`<section aria-labelledby="keys-title">
<h2 id="keys-title" tabindex="-1">Your keys</h2>
<p class="empty" id="no-keys" hidden>No key works at present. Make one above, and send it with your requests.</p>
<ul class="keys" id="live-keys"></ul>
<details class="ended" id="ended" hidden>
<summary id="ended-summary"></summary>
<ul class="keys" id="ended-keys"></ul>
</details>
<template id="key-row">
<li class="key">
<div class="key-head">
<h3 data-part="name" tabindex="-1"></h3>
<span class="badge" data-part="state"></span>
<code data-part="start" translate="no"></code>
</div>
<dl>
<div><dt>Created</dt><dd data-part="created"></dd></div>
<div><dt data-part="end-name"></dt><dd data-part="end"></dd></div>
<div><dt>Last used</dt><dd data-part="last-used"></dd></div>
</dl>
<div class="key-actions" data-part="actions">
<button class="button" type="button" data-part="rotate">Rotate</button>
<button class="button danger" type="button" data-part="revoke">Revoke</button>
</div>
</li>
</template>
</section>`;

const usage = html`<section class="card" aria-labelledby="usage-title">
<h2 id="usage-title">Usage</h2>
<p class="figure"><strong id="used"></strong> <span id="used-of"></span></p>
<progress id="used-share" aria-labelledby="usage-title"></progress>
<p class="hint" id="used-rest"></p>
<p class="empty" id="no-usage" hidden>No requests yet in this month.</p>
<div id="usage-days" hidden>
<figure class="chart" id="chart"></figure>
<details>
<summary>The days as a table</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Requests by day">
<table>
<thead><tr><th scope="col">Day (UTC)</th><th scope="col" class="number">Requests</th></tr></thead>
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
<p>It came too fast, or the month is spent. It counted towards nothing. Wait as many seconds as
<code>Retry-After</code> says, then send it again:</p>
<pre tabindex="0" aria-label="Headers of a 429"><code translate="no">HTTP/1.1 429 Too Many Requests
Retry-After: 1
RateLimit: "rate";r=0;t=1, …</code></pre>
<p>Every answer to a valid key has <code>RateLimit</code>: <code>r</code> requests are left, until <code>t</code> seconds
from then. <a href="/docs/#keys">More in the reference</a></p>
</section>`;

/** @param examplePath of the request that a new key is shown with */
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
${obstacles}
<p class="loading" id="loading" role="status">Loading your keys…</p>
<div class="columns" id="content" hidden>
<div class="column">
${makeKey}
${newKey}
${keyList}
</div>
<div class="column side">
${usage}
${limits}
</div>
</div>
<p class="toast" id="status" role="status"></p>
${rotateDialog}
${revokeDialog}
</main>`,
  };
}
