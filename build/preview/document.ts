import { type Html, html } from '../site/html.ts';

/** Addresses of what every page loads. */
export interface PageAssets {
  /** Style sheets, in order. */
  readonly styles: readonly string[];
  readonly script: string;
  readonly icon: string;
}

/** What one page differs in from the others. */
export interface PageParts {
  readonly title: string;
  /** The element `main`. */
  readonly main: Html;
}

/** What all pages of a moment share. */
export interface PageFrame {
  readonly assets: PageAssets;
  /** Changes with the content; the script asks for the page again when the server tells of another. */
  readonly version: string;
  /** What keeps the pages from being up to date. */
  readonly trouble: string | undefined;
}

/** A whole page: head, the bar that all pages share, and its own content. */
export function document({ title, main }: PageParts, { assets, version, trouble }: PageFrame): string {
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
<div id="page">
${trouble === undefined ? '' : html`<p class="trouble" role="alert">${trouble}</p>\n`}${main}
</div>
</body>
</html>
`.text;
}

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
