import { pagePolicy } from '../release/page-policy.ts';
import { type Html, html } from './html.ts';

/** What one page differs in from the others. */
export interface PageParts {
  readonly title: string;
  readonly description: string;
  /** Addresses of its style sheets, in order. */
  readonly styles: readonly string[];
  /** Address of its module, if it has one. */
  readonly script?: string;
  /** The place in the navigation that is this page itself. */
  readonly place?: string;
  /** The place in the navigation that this page stands below. */
  readonly below?: string;
  /** What stands at the far end of the bar. */
  readonly aside?: Html;
  /** The element `main`. */
  readonly main: Html;
}

const places = [
  ['/docs/', 'Reference'],
  ['/docs/guides/', 'Guides'],
  ['/docs/catalogue/', 'Catalogue'],
  ['/dashboard/', 'Dashboard'],
] as const;

const mark = html`<svg class="mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true" focusable="false">
<rect class="mark-sheet" x="4" y="2" width="24" height="28" rx="4"/>
<path class="mark-lines" d="M10 10h12M10 16h12M10 22h8"/>
</svg>`;

/** A whole page: head, the bar that all pages share, and its own content. */
export function layout({ title, description, styles, script, place, below, aside, main }: PageParts): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="/favicon.ico">
${styles.map((style) => html`<link rel="stylesheet" href="${style}">\n`)}${
  script === undefined ? '' : html`<script type="module" src="${script}"></script>\n`
}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/docs/">${mark}<span>Pastpaper</span></a>
<nav aria-label="Pages">
${places.map(([path, name]) => placeLink(path, name, path === place ? 'page' : path === below))}</nav>
${aside ?? ''}
</header>
${main}
</body>
</html>
`.text;
}

/** @param current whether the link leads to this page, or to one above it */
function placeLink(path: string, name: string, current: 'page' | boolean): Html {
  return current === false
    ? html`<a href="${path}">${name}</a>\n`
    : html`<a href="${path}" aria-current="${String(current)}">${name}</a>\n`;
}
