import { html } from '../site/html.ts';
import type { LiveBank } from './bank.ts';
import { document, type PageAssets, type PageParts } from './document.ts';
import { indexPage } from './index-page.ts';
import { paperPage } from './paper-page.ts';

export interface Page {
  readonly status: number;
  /** HTML. */
  readonly text: string;
}

/** What all pages are made from. */
export interface PageContext {
  /** The name of the bank. */
  readonly name: string;
  readonly live: LiveBank;
  readonly assets: PageAssets;
  /** The git ref that the listed changes are relative to; undefined: all papers are listed. */
  readonly ref: string | undefined;
}

/** Renders a page from the current content. @param path decoded, without query */
export async function pageAt(context: PageContext, path: string): Promise<Page> {
  const { live, ref } = context;
  if (path === '/') return render(context, 200, indexPage(live, ref));
  for (const shift of live.bank.content.shifts) {
    const place = [...shift.papers, ...shift.translations].find((one) => `/${one.path}` === `${path}.json`);
    if (place) return render(context, 200, await paperPage(live.bank, shift, place));
  }
  return errorPage(context, 404, 'Paper not found', `The content folder has no paper for ${path}.`);
}

/** Renders a page about an error. */
export function errorPage(context: PageContext, status: number, title: string, reason: string): Page {
  return render(context, status, {
    title,
    main: html`<div class="lead">
<h1>${title}</h1>
<p class="reason">${reason}</p>
<p><a class="button" href="/">Papers</a></p>
</div>`,
  });
}

function render({ name, live, assets }: PageContext, status: number, parts: PageParts): Page {
  return { status, text: document(name, parts, assets, live.version, live.warning) };
}
