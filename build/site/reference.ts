import type { CompiledExam } from '../compile/compile.ts';
import { type ApiError, apiErrors } from '../release/errors.ts';
import { exampleOf, examplePath } from './example.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

/**
 * The API reference at `/docs/`, with examples from the bank itself.
 *
 * @param style address of the style sheet
 */
export function referencePage(exams: readonly CompiledExam[], style: string): string {
  const example = exampleOf(exams);
  return layout({
    title: 'Pastpaper: API reference',
    description: 'Exam papers by exam, year, shift and subject, over a read-only HTTP API.',
    styles: [style],
    place: '/docs/',
    main: html`<main id="main" class="text">
<div class="lead">
<h1>API reference</h1>
<p>Exam papers by exam, year, shift and subject, over a read-only HTTP API. What a paper consists of
is public; questions and diagrams need an API key.</p>
<p class="actions"><a class="button primary" href="/dashboard/">Get a key</a></p>
</div>
<section aria-labelledby="endpoints">
<h2 id="endpoints">Endpoints</h2>
${endpointTable()}
<p>Everything is <code>GET</code> and answers in JSON, diagrams aside. Every 200 carries an
<code>ETag</code>: send it back in <code>If-None-Match</code> and an unchanged answer costs a bare 304.</p>
</section>
<section aria-labelledby="start">
<h2 id="start">In two requests</h2>
<p>The shifts of a year, without a key:</p>
<pre tabindex="0"><code>curl $BASE_URL/${example.year}</code></pre>
<p>The questions of a subject, with one:</p>
<pre tabindex="0"><code>curl -H "Authorization: Bearer $API_KEY" $BASE_URL${examplePath(example)}</code></pre>
</section>
<section aria-labelledby="exams">
<h2 id="exams">Exams</h2>
${examTable(exams)}
</section>
<section aria-labelledby="shifts">
<h2 id="shifts">Naming a shift</h2>
<p>The full name is the date and the shift's number, like <code>${example.shift}</code>. As short forms serve
<code>s1</code>, <code>s2</code> and so on in chronological order; any beginning of the full name; and, since the year
stands in the path already, month and day, like <code>${example.shift.slice(5, 10)}</code>. Where several shifts
fit, the first in chronological order is meant. The answer names the full shift.</p>
</section>
<section aria-labelledby="keys">
<h2 id="keys">Keys and limits</h2>
<p>Keys are made on the <a href="/dashboard/">dashboard</a>. Send yours as
<code>Authorization: Bearer &lt;API_KEY&gt;</code>. On the free plan an account has 2 requests in any second and 1,000 in a calendar month (UTC), over all its keys. Refused requests count towards nothing. Every answer
to a valid key tells in <code>RateLimit</code> what is left; a 429 tells in <code>Retry-After</code> after how many
seconds to come again. When retrying other failures, back off exponentially.</p>
</section>
<section aria-labelledby="checksums">
<h2 id="checksums">Checksums</h2>
<p>A checksum is the first 12 hex digits of a SHA-256. Of a question file: over the canonical JSON
(RFC 8785) of its <code>questions</code>. Of a shift: over the canonical JSON of an object from each subject to the
checksum of its file. Of a diagram: over its bytes.</p>
</section>
<section aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<p>The body of every error is <code>{"error": "..."}</code>.</p>
${errorTable(Object.values(apiErrors))}
</section>
</main>`,
  });
}

function endpointTable(): Html {
  const rows = [
    ['/', 'none', 'a redirect to this page'],
    ['/{exam}', 'none', 'the years of an exam'],
    ['/{exam}/{year}', 'none', 'the shifts of a year, with subjects, totals and checksums'],
    ['/{exam}/{year}/{shift}/{file}', 'API key', 'the questions of one subject, like physics.json'],
    ['/{exam}/{year}/{shift}/diagrams/{filename}', 'API key', 'a diagram, as an image'],
  ] as const;
  return html`<table>
<thead><tr><th scope="col">Path</th><th scope="col">Needs</th><th scope="col">Answer</th></tr></thead>
<tbody>
${rows.map(
  ([path, needs, answer]) => html`<tr><td><code>${path}</code></td><td>${needs}</td><td>${answer}</td></tr>
`,
)}</tbody>
</table>`;
}

function examTable(exams: readonly CompiledExam[]): Html {
  return html`<table>
<thead><tr><th scope="col">Exam</th><th scope="col">Code</th><th scope="col">Years</th></tr></thead>
<tbody>
${exams.map(
  ({
    resource: { exam, label, years },
  }) => html`<tr><td>${label}</td><td><code>${exam}</code></td><td>${years.map(
    (year, index) => html`${index > 0 ? ', ' : ''}<a href="/${exam}/${year}">${year}</a>`,
  )}</td></tr>
`,
)}</tbody>
</table>`;
}

function errorTable(errors: readonly ApiError[]): Html {
  return html`<table>
<thead><tr><th scope="col">Status</th><th scope="col">Message</th><th scope="col">When</th></tr></thead>
<tbody>
${errors.map(
  ({ status, message, cause }) => html`<tr><td>${status}</td><td>${message}</td><td>${cause}</td></tr>
`,
)}</tbody>
</table>`;
}
