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
  /** The content of the element `main`. */
  readonly main: Html;
}

/**
 * A complete page. Not the layout of the site: KaTeX needs style attributes, which the policy of the site's pages
 * forbids, and the preview has no place in the site's navigation.
 *
 * @param name of the bank
 * @param version changes with the content: the script requests the page again when the server sends another version
 * @param warning why the page is not up to date, if it is not
 */
export function document(
  name: string,
  { title, main }: PageParts,
  { styles, script, icon }: PageAssets,
  version: string,
  warning: string | undefined,
): string {
  return html`<!doctype html>
<html lang="en" data-version="${version}">
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
<p class="message bad" id="warning" role="alert">${warning ?? ''}</p>
<main id="main">
${main}
</main>
</body>
</html>
`.text;
}
