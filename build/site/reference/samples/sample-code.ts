import { type Html, html } from '../../html.ts';
import { sampleOrigin } from '../../sample-origin.ts';
import { curl } from './curl.ts';
import { javascript } from './javascript.ts';
import { python } from './python.ts';
import type { SampleRequest } from './sample.ts';

/** Where no script puts the page's own address into the samples. */
export const originNote: Html = html`<noscript><p>The service is written here as <code>${sampleOrigin}</code>: put its address in place of that.</p></noscript>`;

const languages = [curl, javascript, python];

/** The code of a request in every language; the page's script makes tabs of it. */
export function sampleCode(name: string, request: SampleRequest): Html {
  return html`<div class="samples" data-samples="${name}">
${languages.map((language) => sample(language.id, language.name, language.write(request)))}</div>
`;
}

/** One sample: the test of the samples finds its code by its language. */
export function sample(language: string, name: string, code: string): Html {
  return html`<div class="sample" data-sample="${language}">
<p class="language">${name}</p>
<pre class="code" tabindex="0"><code>${code}</code></pre>
</div>
`;
}
