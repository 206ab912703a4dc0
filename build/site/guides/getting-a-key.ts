import { apiErrors } from '../../release/errors.ts';
import { html } from '../html.ts';
import * as prose from '../openapi/prose.ts';
import { errorTable } from '../reference/answers.ts';
import { paragraphs } from '../reference/prose.ts';
import { sample, sampleCode } from '../reference/samples/sample-code.ts';
import type { Guide } from './guide.ts';

const { missingKey, malformedAuthorization, invalidKey, authenticationUnreachable } = apiErrors;

export const gettingAKey: Guide = {
  name: 'key',
  title: 'Getting a key',
  line: 'From signing up to your first questions, and to a new key without a gap.',
  sections: ({ request }) => [
    {
      id: 'make',
      title: 'Make one',
      content: html`<ol>
<li><a href="/dashboard/sign-up/">Sign up</a>, or <a href="/dashboard/sign-in/">sign in</a>.</li>
<li>On the <a href="/dashboard/">dashboard</a>, give the key a name that says what will use it, choose when it expires,
and press <b>Make key</b>.</li>
<li>Copy the key. It is shown this once: the service keeps only its hash, and nobody can look it up.</li>
</ol>
`,
    },
    {
      id: 'keep',
      title: 'Keep it',
      content: html`<p>Put it into the environment of the program that uses it. The samples here read it as <code>API_KEY</code>:</p>
<table>
<thead><tr><th scope="col">Shell</th><th scope="col">Command</th></tr></thead>
<tbody>
<tr><th scope="row">Linux, macOS</th><td><code>export API_KEY=pfx_...</code></td></tr>
<tr><th scope="row">PowerShell</th><td><code>$env:API_KEY = "pfx_..."</code></td></tr>
</tbody>
</table>
<ul>
<li>Never in a repository. A <code>.env</code> file belongs into <code>.gitignore</code>.</li>
<li>Never in a page or an app that you hand out: whoever has the page has the key. Let your own server ask, and hand
on what it got.</li>
<li>One key for each program, so that you can revoke one alone. All keys of an account share its limits.</li>
</ul>
`,
    },
    {
      id: 'use',
      title: 'Your first questions',
      content: html`${sampleCode('first-questions', request)}<p>More requests, with a form to try them, are in the
<a href="/docs/#try">reference</a>.</p>
`,
    },
    {
      id: 'refused',
      title: 'When it is refused',
      content: html`<p>Sending the same request again changes nothing, but for ${authenticationUnreachable.status}.</p>
${errorTable([missingKey, malformedAuthorization, invalidKey, authenticationUnreachable])}<ul>
<li>${missingKey.status}: the key does not arrive as it should. Is the variable set in the shell that runs the program?
A line end that was copied along is enough.</li>
<li>${invalidKey.status}: the dashboard tells which of your keys live, by their first characters.</li>
</ul>
`,
    },
    {
      id: 'rotate',
      title: 'Change it without a gap',
      content: html`<ol>
<li>On the dashboard, press <b>Rotate</b> at the key, and choose how long the old one works on.</li>
<li>Put the new key in the old one's place, wherever that was.</li>
<li>The dashboard shows when each key was last used. When the old one rests, revoke it, or let it end by itself.</li>
</ol>
<p>A key that got out is not rotated but revoked: it is refused from then on.</p>
`,
    },
    {
      id: 'scripts',
      title: 'In a browser',
      content: html`${paragraphs(prose.crossOrigin)}`,
    },
    {
      id: 'operators',
      title: 'If you run the service',
      content: html`<p>Keys are made on the command line as well, beside a running gateway. Once in the folder of the service:</p>
${sample('shell', 'Shell', 'npm run keys -- create --account first-customer --expires 90d')}<p>It prints the key, this once, and until when it lives. <code>npm run keys -- list</code> tells
which there are, and <code>npm run keys -- revoke ID</code> ends one at once.</p>
`,
    },
  ],
};
