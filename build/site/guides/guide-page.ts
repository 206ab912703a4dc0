import { type Html, html } from '../html.ts';
import { originNote } from '../reference/samples/sample-code.ts';
import { addressOf, type Guide, type GuideBank, guidesAddress } from './guide.ts';
import { guides } from './guides.ts';

/** The page of a guide. It reads without its script. */
export function guideMain(guide: Guide, bank: GuideBank): Html {
  const sections = guide.sections(bank);
  return html`<main id="main" class="reference guide">
${guideList(guide)}
<div class="text">
<div class="lead">
<h1>${guide.title}</h1>
<p>${guide.line}</p>
${originNote}
</div>
${sections.map(
  ({ id, title, content }) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}</section>
`,
)}${nextGuide(guide)}</div>
<p class="unseen" id="status" role="status"></p>
</main>`;
}

/** All guides, to go to another one. @param current the page's own; none: the overview */
export function guideList(current?: Guide): Html {
  return html`<nav class="contents" aria-label="Guides">
<ul>
<li>${link(guidesAddress, 'Overview', current === undefined)}</li>
${guides.map((guide) => html`<li>${link(addressOf(guide), guide.title, guide === current)}</li>\n`)}</ul>
</nav>`;
}

function link(address: string, title: string, isCurrent: boolean): Html {
  return html`<a href="${address}"${isCurrent ? html` aria-current="page"` : ''}>${title}</a>`;
}

function nextGuide(guide: Guide): Html | string {
  const next = guides[guides.indexOf(guide) + 1];
  if (!next) return '';
  return html`<p class="next">Next: <a href="${addressOf(next)}">${next.title}</a></p>
`;
}
