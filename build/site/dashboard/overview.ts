import type { Bank } from '../../release/config.ts';
import { html } from '../html.ts';
import {
  cancelButton,
  type DashboardPage,
  message,
  notices,
  operator,
  tableHead,
  toast,
} from './components.ts';

const keysHead = tableHead(
  ['Name', 'State', 'Key', 'Created', 'Expires', 'Last used'],
  ['Requests'],
);

const dayColumns = ['Day (UTC)', 'Accepted', 'Over the rate limit', 'Over the quota'];

/** The page with the keys of an account and their usage. @param examplePath path of the request shown with a new key */
export function overviewPage(bank: Bank, examplePath: string): DashboardPage {
  const note = html`<span class="unseen"> (opens a new tab)</span>`;
  const main = html`<main id="main" data-example="${examplePath}">
<h1 id="title" tabindex="-1">Dashboard</h1>
${notices}
<p class="loading faint" id="loading" role="status">Loading your keys…</p>
<div id="content" hidden>
<section aria-labelledby="keys-title">
<div class="actions apart"><h2 id="keys-title" tabindex="-1">Your keys</h2>
<button class="button primary" type="button" id="new">New key</button></div>
<div class="card" id="no-keys" hidden>
<h3 id="no-keys-title">Create your first key</h3>
<p>Name it after the place where you will use it, copy it, and send the request that comes with it.</p>
</div>
<div class="scroll" id="keys" tabindex="0" role="region" aria-label="Keys, table">
<table class="numbers named">${keysHead}<tbody id="live-keys"></tbody></table>
</div>
<details id="ended" hidden>
<summary id="ended-summary"></summary>
<div class="scroll" tabindex="0" role="region" aria-label="Ended keys, table">
<table class="numbers named">${keysHead}<tbody id="ended-keys"></tbody></table>
</div>
</details>
<button class="button" type="button" id="more-keys" hidden>Show more keys</button>
<template id="key-row">
<tr>
<th scope="row" data-part="name" tabindex="-1"></th>
<td class="text" data-name="State"><span data-part="state"></span> <span class="hint" data-part="relation"></span></td>
<td class="text" data-name="Key"><code data-part="start" translate="no"></code></td>
<td class="text" data-name="Created" data-part="created"></td>
<td class="text" data-name="Expires" data-part="end"></td>
<td class="text" data-name="Last used" data-part="last-used"></td>
<td data-name="Requests" data-part="requests"></td>
<td data-name=""><span data-part="actions"><button class="button" type="button" data-part="rotate">Rotate</button>
<button class="button danger" type="button" data-part="revoke">Revoke</button></span></td>
</tr>
</template>
</section>
<div class="columns">
<section class="card" aria-labelledby="usage-title">
<div class="actions apart">
<h2 id="usage-title">Usage</h2>
<select id="month" aria-label="Month" autocomplete="off"></select>
</div>
<p class="figure"><strong id="used"></strong> <span class="faint" id="used-of"></span></p>
<div id="quota">
<p class="hint" id="used-rest"></p>
<p class="message warn" id="quota-spent" hidden></p>
</div>
<p class="faint" id="no-usage" hidden></p>
<div id="usage-details" hidden>
<svg class="plot" id="plot" height="180" role="img"></svg>
<p class="hint" id="plot-key"></p>
<details>
<summary>Show data by day</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Requests by day">
<table class="numbers">
<thead><tr>${dayColumns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
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
<p>Wait the number of seconds in <code>Retry-After</code>, then retry. Rejected requests do not count.</p>
<pre tabindex="0" aria-label="Headers of a 429"><code translate="no">HTTP/1.1 429 Too Many Requests
Retry-After: 1
RateLimit: "rate";r=0;t=1, …</code></pre>
</div>
<div id="over-quota" hidden>
<p>Your quota is used up. <code>Retry-After</code> is the number of seconds until the quota renews:</p>
<pre tabindex="0" aria-label="Headers of a 429 after the quota"><code translate="no">HTTP/1.1 429 Too Many Requests
Retry-After: <span data-part="seconds"></span>
RateLimit: "quota";r=0;t=<span data-part="seconds"></span>, …</code></pre>
<p>Your keys stay valid. If you need more requests, ask ${operator(bank)} for another plan.</p>
</div>
<p><a href="/docs/reference/#keys">Keys and limits in the reference</a></p>
</section>
</div>
</div>
${toast}
<dialog id="create" aria-labelledby="create-title">
<form method="dialog" id="create-key">
<h2 id="create-title">New key</h2>
<div class="field">
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
</select>
</div>
${message}
<div class="actions end">
<button class="button" type="button" data-part="cancel">Cancel</button>
<button class="button primary" type="submit" disabled>Create key</button>
</div>
</form>
</dialog>
<dialog id="new-key" aria-labelledby="new-key-title">
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
<p class="hint" id="copied" role="status"></p>
<p class="actions end"><a class="button" href="/docs/reference/?try#getQuestions" target="_blank">Try it in the reference${note}</a>
<button class="button primary" type="button" id="new-key-done">I have copied it</button></p>
</dialog>
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
