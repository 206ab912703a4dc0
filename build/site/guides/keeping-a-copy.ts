import { html } from '../html.ts';
import * as prose from '../openapi/prose.ts';
import { paragraphs } from '../reference/prose.ts';
import { sample } from '../reference/samples/sample-code.ts';
import { sampleOrigin } from '../sample-origin.ts';
import type { Guide } from './guide.ts';

export const keepingACopy: Guide = {
  name: 'copy',
  title: 'Keeping a copy in step',
  line: 'Download a year once, and from then on only what changed.',
  sections: ({ program, example }) => [
    {
      id: 'ways',
      title: 'Two ways',
      content: html`<ul>
<li>The service comes with a command that does it all. It needs a checkout of the service, and Node.</li>
<li>Or one file of your own, <a href="#own">below</a>: the same idea in one program, for one year.</li>
</ul>
`,
    },
    {
      id: 'pull',
      title: 'By the command',
      content: html`${sample('shell', 'Shell', `npm run pull -- ${sampleOrigin} ${example.year} --out copy`)}<p>The key comes from <code>API_KEY</code>. An exam without a year
copies all of its years. Whatever stops it, the same command goes on where it was; it ends with 0 only when every checksum
is right. Beyond the program below it asks for several files at once, removes what the service no longer has, and copes with
a release in the middle.</p>
`,
    },
    {
      id: 'how',
      title: 'How it goes',
      content: html`<ol>
<li>Ask for the year. That is public, and costs nothing.</li>
<li>Compute the <a href="/docs/guides/checksum/">checksum</a> of each shift from the papers that are here. Where it is that of
the service, there is nothing to ask: most days, that is all.</li>
<li>Where it differs, ask for the papers of the shift, each with the <code>ETag</code> that it came with in
<code>If-None-Match</code>. A 304 says that it is the same still.</li>
<li>Hold what came against its checksum, and only then put it in its place, by renaming a whole file.</li>
<li>Last the diagrams that the papers name, where their checksum differs.</li>
</ol>
${paragraphs(prose.caching)}`,
    },
    {
      id: 'own',
      title: 'By a program of your own',
      content: html`<p>It keeps a year below <code>copy</code>, in the same places as the command does, and within the
<a href="/docs/guides/limits/">limits</a>. Year and folder may be given as arguments.</p>
${program('copy')}<p>Run it as often as you like, each night for example. When nothing has changed, it makes one public request.</p>
`,
    },
  ],
};
