import { apiErrors } from '../../release/errors.ts';
import { defaultPlans } from '../../release/plans.ts';
import { type Html, html } from '../html.ts';
import { countOf } from '../numbers.ts';
import { headers } from '../openapi/headers.ts';
import * as prose from '../openapi/prose.ts';
import { inline, paragraphs } from '../reference/prose.ts';
import type { Guide } from './guide.ts';

const { perSecond, perMonth } = defaultPlans.free;
const errors = apiErrors;

export const limitsAndRetrying: Guide = {
  name: 'limits',
  title: 'Limits and retrying',
  line: 'How much you may ask, how the service tells what is left, and a program that keeps to it.',
  sections: ({ program }) => [
    {
      id: 'plan',
      title: 'What the free plan gives',
      content: html`<ul>
<li>${countOf(perSecond, 'request')} in any second. The second slides: what counts is the one that ends now, not that of
the clock.</li>
<li>${countOf(perMonth, 'request')} in a calendar month. It begins on the first, 00:00 UTC.</li>
</ul>
<p>Both are the account's, over all its keys: another key buys nothing.</p>
`,
    },
    {
      id: 'told',
      title: 'How you are told',
      content: html`${paragraphs(prose.limits.split('\n\n').slice(1).join('\n\n'))}<table>
<caption>Header fields</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Like</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${fieldRow('RateLimit-Policy', 'RateLimitPolicy')}${fieldRow('RateLimit', 'RateLimit')}${fieldRow('Retry-After', 'RetryAfter')}</tbody>
</table>
`,
    },
    {
      id: 'spends',
      title: 'What counts',
      content: html`<table>
<thead><tr><th scope="col">Counts</th><th scope="col">What</th></tr></thead>
<tbody>
<tr><th scope="row">one request</th><td>200, 304 and ${errors.fileNotFound.status} to a key that works, where a key is needed</td></tr>
<tr><th scope="row">nothing</th><td>what needs no key, whether you send one or not</td></tr>
<tr><th scope="row">nothing</th><td>${list([errors.malformedUrl, errors.missingKey, errors.invalidKey, errors.methodNotAllowed, errors.authenticationUnreachable])}: it was not looked up</td></tr>
<tr><th scope="row">nothing</th><td>${errors.rateLimitExceeded.status}: what is refused spends neither the second nor the month</td></tr>
</tbody>
</table>
`,
    },
    {
      id: 'retry',
      title: 'When to come again',
      content: html`<table>
<thead><tr><th scope="col">What comes</th><th scope="col">What to do</th></tr></thead>
<tbody>
<tr><th scope="row">${errors.rateLimitExceeded.status}</th><td>Wait as many seconds as <code>Retry-After</code> says. When the month is spent, these are days: end
the program, and say so.</td></tr>
<tr><th scope="row">${list([errors.internal, errors.authenticationUnreachable])}, 503 of a proxy, no answer</th><td>Try again a few times. Wait twice as long each time,
and by chance a little less, so that not all programs come back together.</td></tr>
<tr><th scope="row">${list([errors.malformedUrl, errors.missingKey, errors.invalidKey, errors.fileNotFound])}</th><td>Give up: the same would come again.</td></tr>
</tbody>
</table>
`,
    },
    {
      id: 'download',
      title: 'All papers of a year',
      content: html`<p>This program keeps within the limits by what <code>RateLimit</code> says, and does what the table above asks. It
needs nothing but the language, and <code>API_KEY</code> in the environment. Take <code>get</code> out of it for programs of
your own.</p>
${program('download')}<p>The papers come to stand below <code>copy</code>. Started again, it asks for all of them again: how to ask
only for what changed is told in <a href="/docs/guides/copy/">Keeping a copy in step</a>.</p>
`,
    },
  ],
};

/** A field as the description tells it. */
function fieldRow(field: string, component: string): Html {
  const header = headers[component];
  if (!header) throw new Error(`The description has no ${component}.`);
  return html`<tr><th scope="row"><code>${field}</code></th><td><code>${String(header.example)}</code></td><td>${inline(header.description)}</td></tr>
`;
}

function list(answers: readonly { readonly status: number }[]): string {
  return answers.map(({ status }) => status).join(', ');
}
