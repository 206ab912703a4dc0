import type { Bank } from '../../release/config.ts';
import { type Html, html } from '../html.ts';
import {
  cancelButton,
  type DashboardPage,
  message,
  notices,
  operator,
  toast,
} from './components.ts';

/** The page with the keys of an account and their usage. @param examplePath path of the request shown with a new key */
export function overviewPage(bank: Bank, examplePath: string): DashboardPage {
  const note = html`<span class="unseen"> (opens a new tab)</span>`;
  const tryIt = html`<a class="button" href="/docs/reference/#getQuestions" target="_blank">Try it in the reference${note}</a>`;
  const main = html`<main id="main" data-example="${examplePath}">
<h1 id="title" tabindex="-1">Dashboard</h1>
${notices}
<p class="loading" id="loading" role="status">Loading your keys…</p>
<div class="columns" id="content" hidden>
<div>
<section class="card" id="create" aria-labelledby="create-title">
<h2 id="create-title">Create a key</h2>
<ol id="first-steps" hidden>
<li><strong>Name the key</strong> after the place where you will use it.</li>
<li><strong>Copy it.</strong> It is shown only once.</li>
<li><strong>Send the request</strong> that appears below it to get the questions of a paper.</li>
</ol>
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
${message}
</form>
</section>
<section class="card new-key" id="new-key" aria-labelledby="new-key-title" hidden>
<h2 id="new-key-title" tabindex="-1"></h2>
<p>Copy it now. It is shown only once.</p>
<div class="joined">
<pre tabindex="0" aria-label="The key"><code id="new-key-text" translate="no"></code></pre>
<button class="button" type="button" id="copy-key">Copy<span class="unseen"> the key</span></button>
</div>
<p>Send a first request:</p>
<div class="joined">
<pre tabindex="0" aria-label="A request with the key"><code id="new-key-curl" translate="no"></code></pre>
<button class="button" type="button" id="copy-curl">Copy<span class="unseen"> the request</span></button>
</div>
<p class="actions">${tryIt}
<button class="button" type="button" id="new-key-done">I have copied it</button></p>
</section>
<section id="keys" aria-labelledby="keys-title">
<h2 id="keys-title" tabindex="-1">Your keys</h2>
<p class="empty" id="no-keys" hidden>You have no active keys. Create one above and send it with your requests.</p>
<ul class="keys" id="live-keys"></ul>
<details class="ended" id="ended" hidden>
<summary id="ended-summary"></summary>
<ul class="keys" id="ended-keys"></ul>
</details>
<button class="button" type="button" id="more-keys" hidden>Show more keys</button>
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
<div data-part="relation"><dt data-part="relation-name"></dt><dd><code data-part="relation-key" translate="no"></code></dd></div>
</dl>
<div class="actions" data-part="actions">
<button class="button" type="button" data-part="rotate">Rotate</button>
<button class="button danger" type="button" data-part="revoke">Revoke</button>
</div>
</li>
</template>
</section>
</div>
<div>
<section class="card" aria-labelledby="usage-title">
<div class="title-row">
<h2 id="usage-title">Usage</h2>
<select id="month" aria-label="Month" autocomplete="off"></select>
</div>
<p class="figure"><strong id="used"></strong> <span id="used-of"></span></p>
<div id="quota">
<progress id="used-share" aria-label="Share of the quota"></progress>
<p class="hint" id="used-rest"></p>
<p class="message warn" id="quota-spent" hidden></p>
</div>
<p class="empty" id="no-usage" hidden></p>
<div id="usage-details" hidden>
<div class="axis"><span class="legend" id="legend">Accepted <span>Rejected</span></span><span id="bars-max"></span></div>
<div class="bars" id="bars" role="img"></div>
<div class="axis"><span>1</span><span id="bars-end"></span></div>
<div class="scroll" tabindex="0" role="region" aria-label="Requests by key">
<table class="numbers">
${usageHead('Key')}
<tbody id="usage-keys"></tbody>
</table>
</div>
<button class="button" type="button" id="more-usage" hidden>Show more keys<span class="unseen"> with requests</span></button>
<details>
<summary>Show data by day</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Requests by day">
<table class="numbers">
${usageHead('Day (UTC)')}
<tbody id="days"></tbody>
</table>
</div>
</details>
</div>
</section>
<section class="card" aria-labelledby="limits-title">
<h2 id="limits-title">Limits</h2>
<p id="limits"></p>
<h3>When a request gets 429</h3>
<div id="over-rate">
<p>It exceeded the rate limit. Rejected requests do not count against the quota. Wait the number of seconds in
<code>Retry-After</code>, then retry:</p>
<pre tabindex="0" aria-label="Headers of a 429"><code translate="no">HTTP/1.1 429 Too Many Requests
Retry-After: 1
RateLimit: "rate";r=0;t=1, …</code></pre>
</div>
<div id="over-quota" hidden>
<p>Your quota is used up. <code>Retry-After</code> is the number of seconds until the quota renews:</p>
<pre tabindex="0" aria-label="Headers of a 429 after the quota"><code translate="no">HTTP/1.1 429 Too Many Requests
Retry-After: <span data-part="seconds"></span>
RateLimit: "quota";r=0;t=<span data-part="seconds"></span>, …</code></pre>
<p>Your keys stay valid. A new key does not help, because the quota is your account’s. If you need more requests, ask
${operator(bank)} for another plan.</p>
</div>
<p>Every response to a request with a valid key has <code>RateLimit</code>: <code>r</code> is the number of requests
left, <code>t</code> the seconds until the limit resets. <a href="/docs/reference/#keys">Read more in the reference</a></p>
</section>
</div>
</div>
${toast}
<dialog id="rotate" aria-labelledby="rotate-title" aria-describedby="rotate-text">
<form method="dialog">
<h2 id="rotate-title">Rotate “<span data-part="name"></span>”</h2>
<p id="rotate-text">You get a new key with the same name. The old key can keep working until you have replaced it.</p>
<fieldset>
<legend>Keep the old key working for</legend>
<label class="choice"><input type="radio" name="overlap" value="0"> Not at all: revoke it now</label>
<label class="choice"><input type="radio" name="overlap" value="3600"> 1 hour</label>
<label class="choice"><input type="radio" name="overlap" value="86400" checked autofocus> 1 day</label>
<label class="choice"><input type="radio" name="overlap" value="604800"> 7 days</label>
</fieldset>
${message}
<div class="actions end">
${cancelButton}
<button class="button primary" type="submit">Rotate key</button>
</div>
</form>
</dialog>
<dialog id="revoke" aria-labelledby="revoke-title" aria-describedby="revoke-text">
<form method="dialog">
<h2 id="revoke-title">Revoke “<span data-part="name"></span>”?</h2>
<p id="revoke-text">Requests with <code data-part="start" translate="no"></code> will be rejected with 403. You cannot undo this.</p>
${message}
<div class="actions end">
${cancelButton}
<button class="button bad" type="submit">Revoke key</button>
</div>
</form>
</dialog>
</main>
`;
  return {
    title: 'Dashboard',
    description: 'Your API keys and their usage.',
    main,
  };
}

/** The head of a table of requests. */
function usageHead(first: string): Html {
  const names = [first, 'Accepted', 'Over the rate limit', 'Over the quota'];
  return html`<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>`;
}
