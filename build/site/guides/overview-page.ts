import { type Html, html } from '../html.ts';
import * as prose from '../openapi/prose.ts';
import { originNote, sample } from '../reference/samples/sample-code.ts';
import { sampleOrigin } from '../sample-origin.ts';
import { addressOf, type GuideBank } from './guide.ts';
import { guideList } from './guide-page.ts';
import { guides } from './guides.ts';

/** What the service is, a first request, and what each guide is for. */
export function overviewMain({ example }: GuideBank): Html {
  return html`<main id="main" class="reference guide">
${guideList()}
<div class="text">
<div class="lead">
<h1>Guides</h1>
<p>${prose.overview}</p>
</div>
<section aria-labelledby="first">
<h2 id="first">A first request</h2>
<p>This one needs no key. It lists the shifts of a year, with subjects, totals and checksums:</p>
${sample('curl', 'curl', `curl ${sampleOrigin}/${example.year}`)}${originNote}
</section>
<section aria-labelledby="guides">
<h2 id="guides">From here on</h2>
<ol class="guides">
${guides.map((guide) => html`<li><a href="${addressOf(guide)}">${guide.title}</a><p>${guide.line}</p></li>\n`)}</ol>
<p>The <a href="/docs/">reference</a> has every endpoint, field and error; the <a href="/docs/catalogue/">catalogue</a>
tells what the bank holds.</p>
</section>
</div>
<p class="unseen" id="status" role="status"></p>
</main>`;
}
