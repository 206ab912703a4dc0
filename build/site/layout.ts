import { pagePolicy } from '../release/headers.ts';
import { type Html, html } from './html.ts';

/** The parts in which pages differ. */
export interface PageParts {
  readonly title: string;
  readonly description: string;
  /** URLs of its style sheets, in order. */
  readonly styles: readonly string[];
  /** URL of its script. */
  readonly script?: string;
  /** The place in the navigation that is this page. */
  readonly place?: string;
  /** The place in the navigation that this page belongs to. */
  readonly below?: string;
  /** The end of the header bar. */
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

const logo = html`<svg class="mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true" focusable="false">
<rect class="mark-sheet" x="4" y="2" width="24" height="28" rx="4"/>
<path class="mark-lines" d="M10 10h12M10 16h12M10 22h8"/>
</svg>`;

/** Renders a whole page: head, header bar with navigation, and content. */
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
<a class="brand" href="/docs/">${logo}<span>Pastpaper</span></a>
<nav aria-label="Pages">
${places.map(([path, name]) => link(path, name, path === place ? 'page' : path === below ? 'true' : undefined))}</nav>
${aside ?? ''}
</header>
${main}
</body>
</html>
`.text;
}

/** A link, its name, and the links of its subsections. */
type ContentsLink = readonly [href: string, name: string, subsections?: readonly ContentsLink[]];

/** The list of links beside the text of a page. @param current the link to the page itself */
export function contents(label: string, links: readonly ContentsLink[], current?: string): Html {
  return html`<nav class="contents" aria-label="${label}">
${contentsList(links, current)}</nav>`;
}

/** A page of text beside a list of links. The status message is for its script. */
export function docsMain(links: Html, lead: Html, text: Html): Html {
  return html`<main id="main" class="docs">
${links}
<div class="text">
<div class="lead">
${lead}</div>
${text}</div>
<p class="unseen" id="status" role="status"></p>
</main>`;
}

function contentsList(links: readonly ContentsLink[], current?: string): Html {
  return html`<ul>
${links.map(
  ([href, name, subsections]) =>
    html`<li>${link(href, name, href === current ? 'page' : undefined)}${subsections ? contentsList(subsections) : ''}</li>
`,
)}</ul>
`;
}

/** @param current the value of `aria-current`: whether the link leads to this page, or to the one above it */
function link(href: string, name: string, current?: 'page' | 'true'): Html {
  return html`<a href="${href}"${current === undefined ? '' : html` aria-current="${current}"`}>${name}</a>
`;
}
