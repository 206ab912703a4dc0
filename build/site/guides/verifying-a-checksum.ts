import { checksumLength } from '../../compile/checksum.ts';
import { type Html, html } from '../html.ts';
import { inventedAnswer } from '../openapi/invented-paper.ts';
import type { Guide } from './guide.ts';

export const verifyingAChecksum: Guide = {
  name: 'checksum',
  title: 'Verifying a checksum',
  line: 'Compute every checksum again from what you received, in JavaScript, Python or Java.',
  sections: ({ program, example }) => [
    {
      id: 'what',
      title: 'What it is computed over',
      content: html`<p>Each is the first ${checksumLength} hex digits of a SHA-256, over these bytes:</p>
<table>
<thead><tr><th scope="col">Of</th><th scope="col">Stands in</th><th scope="col">Over</th></tr></thead>
<tbody>
<tr><th scope="row">a question file</th><td><code>metadata.checksum</code></td><td>the canonical JSON of its <code>questions</code></td></tr>
<tr><th scope="row">a shift</th><td><code>shifts[].checksum</code> of <code>GET /{exam}/{year}</code></td><td>the canonical JSON of
<code>{"subject": "checksum"}</code>, with every question file of the shift</td></tr>
<tr><th scope="row">a diagram</th><td><code>diagrams[].checksum</code> of its question</td><td>the file as it is</td></tr>
</tbody>
</table>
<p>The checksum of a shift is public. It tells without a key whether anything of the shift changed: a text, an answer, or a
diagram, whose checksum stands in the questions.</p>
`,
    },
    {
      id: 'canonical',
      title: 'What canonical JSON is',
      content: html`<p>One text for one value, by RFC 8785. Of its rules, these matter here:</p>
<ul>
<li>Names are sorted. All are ASCII, so any plain order of texts will do.</li>
<li>There is no space between the parts.</li>
<li>Only <code>"</code>, <code>\\</code> and control characters are escaped, the latter as <code>\\n</code>, <code>\\t</code> and the like, where
there is such a form. All else stands as it is, in UTF-8: <code>é</code>, not <code>\\u00e9</code>.</li>
<li>All numbers are whole: the width and the height of diagrams. What the RFC says of fractions never comes up.</li>
<li>Fields that are missing, such as <code>accepted</code>, stay missing; there is no <code>null</code>.</li>
</ul>
${shown(example)}<p>Not every tool writes it. Python's <code>json.dumps</code> escapes all that is not ASCII unless told
<code>ensure_ascii=False</code>, PHP's <code>json_encode</code> also <code>/</code>, and Go's <code>encoding/json</code> <code>&lt;</code> and U+2028.</p>
`,
    },
    {
      id: 'verify',
      title: 'A shift, with its papers and diagrams',
      content: html`<p>This program reads a folder of a <a href="/docs/guides/copy/">copy</a>, computes everything again, and compares
with what the service tells anyone. It needs no key. With another folder as its argument it reads that.</p>
${program('verify')}<p>A file that was changed in one byte of its questions is named, and the program ends with 1.</p>
`,
    },
  ],
};

/** The checksum of a shift, step by step, with invented papers: real ones need a key. */
function shown(example: Parameters<typeof inventedAnswer>[0]): Html {
  const { subject, metadata } = inventedAnswer(example);
  return html`<p>With one invented paper, a shift's checksum is computed over these ${
    JSON.stringify({ [subject]: metadata.checksum }).length
  } bytes:</p>
<pre class="code" tabindex="0"><code>${JSON.stringify({ [subject]: metadata.checksum })}</code></pre>
`;
}
