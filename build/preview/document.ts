import { type Html, html } from '../site/html.ts';
import type { LiveBank } from './bank.ts';

/** URLs of what every page loads. */
export interface PageAssets {
  /** Style sheets, in order. */
  readonly styles: readonly string[];
  readonly script: string;
  readonly icon: string;
}

/** What all pages are made from. */
export interface PageContext {
  /** The name of the bank. */
  readonly name: string;
  readonly bank: LiveBank;
  readonly assets: PageAssets;
  /** The git ref that the listed changes are relative to; undefined: all papers are listed. */
  readonly ref: string | undefined;
}

/** What differs between pages. */
export interface PageParts {
  readonly title: string;
  /** The content of the element `main`. */
  readonly main: Html;
}

export interface Page {
  readonly status: number;
  /** HTML. */
  readonly text: string;
}

/** Renders a page about an error. */
export function errorPage(context: PageContext, status: number, title: string, reason: string): Page {
  return page(context, status, {
    title,
    main: html`<div class="lead">
<h1>${title}</h1>
<p class="reason">${reason}</p>
<p><a class="button" href="/">Papers</a></p>
</div>`,
  });
}

/**
 * A complete page. Not the layout of the site: KaTeX needs style attributes, which the policy of the site's pages
 * forbids, and the preview has no place in the site's navigation. The version changes with the content: the script
 * requests the page again when the server sends another one.
 */
export function page({ name, bank, assets }: PageContext, status: number, { title, main }: PageParts): Page {
  const { styles, script, icon } = assets;
  const { text } = html`<!doctype html>
<html lang="en" data-version="${bank.version}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Preview · ${name}</title>
<link rel="icon" href="${icon}">
${styles.map((style) => html`<link rel="stylesheet" href="${style}">\n`)}<script type="module" src="${script}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/"><img src="${icon}" alt="" width="24" height="24"><span>${name}</span></a>
<span class="faint">Preview</span>
<span class="live hint" id="live" role="status">Reload the page to see your changes.</span>
</header>
<p class="message bad" id="warning" role="alert">${bank.warning ?? ''}</p>
<main id="main">
${main}
</main>
</body>
</html>
`;
  return { status, text };
}
