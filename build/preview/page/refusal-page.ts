import { html } from '../../site/html.ts';
import type { PageParts } from './document.ts';

/** A page in the place of one that is not there. */
export function refusalPage(title: string, reason: string): PageParts {
  return {
    title: `${title} · Preview`,
    main: html`<main id="main">
<div class="lead">
<h1>${title}</h1>
<p class="reason">${reason}</p>
<p class="actions"><a class="button" href="/">Papers</a></p>
</div>
</main>`,
  };
}
