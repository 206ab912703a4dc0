import { type Html, html } from '../site/html.ts';
import { mark } from '../site/layout.ts';
import type { LiveBank } from './bank.ts';

/** URLs of what every page loads. */
export interface PageAssets {
  /** Style sheets, in order. */
  readonly styles: readonly string[];
  readonly script: string;
  /** The script of the pages with forms. */
  readonly editorScript: string;
  readonly icon: string;
}

/** What all pages are made from. */
export interface PageContext {
  readonly bank: LiveBank;
  readonly assets: PageAssets;
  /** What pages send with a change, so that no others can. */
  readonly token: string;
}

/** What differs between pages. */
export interface PageParts {
  readonly title: string;
  /** The content of the element `main`. */
  readonly main: Html;
  /** The version of the content that the page was begun with, if it took time to make. */
  readonly version?: string;
  /** What the script needs to change a paper. */
  readonly edit?: object;
  /** Whether the page has a form. It is not reloaded when the content changes. */
  readonly isForm?: true;
}

/** A status, and the HTML of the body. */
export interface Page {
  readonly status: number;
  readonly text: string;
}

/** Renders a page about an error. */
export function errorPage(
  context: PageContext,
  status: number,
  title: string,
  reason: string,
): Page {
  const main = html`<div class="lead">
<h1>${title}</h1>
<p class="reason">${reason}</p>
<p><a class="button" href="/">Papers</a></p>
</div>`;
  return page(context, status, { title, main });
}

/**
 * A complete page. Not the layout of the site: KaTeX needs style attributes, which the policy of the site's pages
 * forbids, and the preview has no place in the site's navigation. The version changes with the content: the script
 * reloads the page when the server sends another one.
 */
export function page({ bank, assets, token }: PageContext, status: number, parts: PageParts): Page {
  const { config, warning } = bank;
  const { version = bank.version, edit, isForm } = parts;
  const styles = assets.styles.map((style) => html`<link rel="stylesheet" href="${style}">\n`);
  const { icon } = assets;
  const script = isForm ? assets.editorScript : assets.script;
  const state = isForm ? 'The editor needs scripts.' : 'Reload the page to see your changes.';
  const data = edit && html` data-edit="${JSON.stringify({ ...edit, token })}"`;
  const document = html`<!doctype html>
<html lang="en" data-version="${version}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${parts.title} · Preview · ${config.name}</title>
<link rel="icon" href="${icon}">
${styles}<script type="module" src="${script}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/">${mark}<span>${config.name}</span></a>
<span class="faint">Preview</span>
<span class="live hint" id="live" role="status">${state}</span>
</header>
<p class="message bad" id="warning" role="alert">${warning}</p>
<main id="main"${data}>
${parts.main}
</main>
</body>
</html>`;
  return { status, text: document.text };
}
