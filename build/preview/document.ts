import { type Html, html } from '../site/html.ts';

/** URLs of what every page loads. */
export interface PageAssets {
  /** Style sheets, in order. */
  readonly styles: readonly string[];
  readonly script: string;
  readonly icon: string;
}

/** What differs between pages. */
export interface PageParts {
  readonly title: string;
  /** The element `main`. */
  readonly main: Html;
}

/** What all pages have in common at a time. */
interface PageFrame {
  readonly assets: PageAssets;
  /** Changes with the content: the script requests the page again when the server sends another version. */
  readonly version: string;
  /** Why the page is not up to date, if it is not. */
  readonly warning: string | undefined;
}

/**
 * A complete page. Not the layout of the site: KaTeX needs style attributes, which the policy of the site's pages
 * forbids, and the preview has no place in the site's navigation.
 */
export function document({ title, main }: PageParts, { assets, version, warning }: PageFrame): string {
  return html`<!doctype html>
<html lang="en" data-version="${version}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${assets.icon}">
${assets.styles.map((style) => html`<link rel="stylesheet" href="${style}">\n`)}<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/"><img src="${assets.icon}" alt="" width="24" height="24"><span>Pastpaper</span></a>
<p class="bar-name">Preview</p>
<p class="live" id="live" role="status">Reload the page to see what was saved.</p>
</header>
<p class="page-warning" id="warning" role="alert">${warning ?? ''}</p>
${main}
</body>
</html>
`.text;
}

/** A page for an error. */
export function errorPage(title: string, reason: string): PageParts {
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
