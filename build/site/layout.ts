import { type Bank, isEmail } from '../release/bank.ts';
import { pagePolicy } from '../release/headers.ts';
import { Html, html } from './html.ts';
import { sampleOrigin } from './text.ts';

/** What all pages share. */
export interface Site {
  readonly bank: Bank;
  /** URL of its logo; undefined: the mark below. */
  readonly logo: string | undefined;
  /** URL of the style sheet of all pages. */
  readonly style: string;
  /** URL of the script of all pages. */
  readonly script: string;
  /** URL of the script of the search. */
  readonly search: string;
}

/** The parts in which pages differ. */
export interface PageParts {
  /** Undefined: the name of the bank. */
  readonly title?: string;
  readonly description: string;
  /** URL of a style sheet of its own. */
  readonly style?: string;
  /** URL of a script of its own. */
  readonly script?: string;
  /** The place in the navigation that is this page. */
  readonly place?: string;
  /** The place in the navigation that this page belongs to. */
  readonly below?: string;
  /** URL of a JSON Feed. */
  readonly feed?: string;
  /** The end of the header bar. */
  readonly aside?: Html;
  /** The element `main`. */
  readonly main: Html;
}

const places = [
  ['/docs/reference/', 'Reference'],
  ['/docs/guides/', 'Guides'],
  ['/docs/catalogue/', 'Catalogue'],
  ['/dashboard/', 'Dashboard'],
] as const;

const mark = html`<svg class="mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true" focusable="false">
<rect class="mark-sheet" x="4" y="2" width="24" height="28" rx="4"/>
<path class="mark-lines" d="M10 10h12M10 16h12M10 22h8"/>
</svg>`;

/** The search of the docs. Without scripts, it is not shown. */
const search = html`<div class="search" role="search">
<input type="search" id="search" role="combobox" aria-label="Search the docs" aria-expanded="false" aria-controls="search-results"
aria-autocomplete="list" aria-keyshortcuts="/ Control+K" autocomplete="off" spellcheck="false" placeholder="Search (press /)">
<div class="results" id="search-results" role="listbox" aria-label="Results" hidden></div>
<p class="unseen" id="search-status" role="status"></p>
</div>
`;

/** Renders a whole page: head, header bar with navigation, and content. */
export function layout(site: Site, page: PageParts): string {
  const { bank, logo } = site;
  const { title, description, style, script, place, below, feed, aside, main } = page;
  const hasSearch = `${place ?? below}`.startsWith('/docs/');
  return html`<!doctype html>
<html lang="en" data-origin="${bank.publicUrl ?? sampleOrigin}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="description" content="${description}">
<title>${title === undefined ? bank.name : `${title} · ${bank.name}`}</title>
<link rel="icon" href="${logo ?? '/favicon.ico'}">
<link rel="stylesheet" href="${site.style}">
${style === undefined ? '' : html`<link rel="stylesheet" href="${style}">\n`}${
  feed === undefined ? '' : html`<link rel="alternate" type="application/feed+json" title="Changes" href="${feed}">\n`
}<script src="${site.script}"></script>
${hasSearch ? moduleScript(site.search) : ''}${script === undefined ? '' : moduleScript(script)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/docs/"${place === '/docs/' ? html` aria-current="page"` : ''}>${
    logo === undefined ? mark : html`<img src="${logo}" alt="" height="24">`
  }<span>${bank.name}</span></a>
<nav aria-label="Pages">
${places.map(([path, name]) => link(path, name, path === place ? 'page' : path === below ? 'true' : undefined))}</nav>
${aside ?? ''}
${hasSearch ? search : ''}<button class="theme" type="button" id="theme" aria-label="Dark theme" aria-pressed="false" hidden></button>
</header>
${main}
${footer(bank)}</body>
</html>
`.text;
}

function moduleScript(url: string): Html {
  return html`<script type="module" src="${url}"></script>\n`;
}

function footer({ contact, terms, privacy }: Bank): Html {
  const links = [
    [contact && contactUrl(contact), 'Contact'],
    [terms, 'Terms'],
    [privacy, 'Privacy'],
  ] as const;
  return html`<footer class="bar">
${links.map(([url, name]) => (url === undefined ? '' : html`<a href="${url}">${name}</a>\n`))}<span>Powered by Pastpaper</span>
</footer>
`;
}

/** The link to a contact: an email address or a URL. */
export function contactUrl(contact: string): string {
  return isEmail(contact) ? `mailto:${contact}` : contact;
}

/** Where visitors get a key: on the sign-up page; if they cannot sign up, from the operator. */
export function keyUrl({ signUp, contact }: Bank): string {
  if (signUp === 'open') return '/dashboard/sign-up/';
  return contact === undefined ? '/dashboard/sign-in/' : contactUrl(contact);
}

/** A link, its name, and the links of its subsections. */
type ContentsLink = readonly [href: string, name: string | Html, subsections?: readonly ContentsLink[]];

/** The list of links beside the text of a page; in a narrow window, it is folded away above the text. @param current the link to the page itself */
export function contents(label: string, links: readonly ContentsLink[], current?: string): Html {
  return html`<nav class="contents" aria-label="${label}">
<details>
<summary>${label}</summary>
${contentsList(links, current)}</details>
</nav>`;
}

/** A page of text beside a list of links. The status message is for its script. */
export function docsMain(links: Html, lead: Html, text: Html): Html {
  return html`<main id="main" class="docs">
<div class="lead">
${lead}</div>
${links}
<div class="text">
${linkHeadings(text)}</div>
<p class="unseen" id="status" role="status"></p>
</main>`;
}

const heading = /<(h[23]) id="([^"]+)"([^>]*)>(.*?)<\/\1>/gs;

/** Makes each heading that has an id a link to itself, so that readers can copy its address. */
export function linkHeadings({ text }: Html): Html {
  return new Html(text.replace(heading, '<$1 id="$2"$3><a class="anchor" href="#$2">$4</a></$1>'));
}

/** The links to the headings of level 2 in a text. */
export function headingLinks({ text }: Html): ContentsLink[] {
  return Array.from(text.matchAll(heading))
    .filter(([, level]) => level === 'h2')
    .map(([, , id, , title = '']) => [`#${id}`, new Html(title)]);
}

function contentsList(links: readonly ContentsLink[], current?: string): Html {
  return html`<ul>
${links.map(
  ([href, name, subsections]) =>
    html`<li>${link(href, name, href === current ? 'page' : undefined)}${subsections?.length ? contentsList(subsections) : ''}</li>
`,
)}</ul>
`;
}

/** @param current the value of `aria-current`: whether the link leads to this page, or to the one above it */
function link(href: string, name: string | Html, current?: 'page' | 'true'): Html {
  return html`<a href="${href}"${current === undefined ? '' : html` aria-current="${current}"`}>${name}</a>
`;
}
