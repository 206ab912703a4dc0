import type { Output } from '../compile/response.ts';
import { type Bank, isEmail } from '../release/config.ts';
import { pagePolicy } from '../release/headers.ts';
import { publicPage } from './assets.ts';
import { Html, html } from './html.ts';
import { sampleOrigin } from './text.ts';

/** What all pages share. */
export interface Site {
  readonly bank: Bank;
  /** URLs: of the logo, or undefined for the mark of the software, and of the icon. */
  readonly logo: string | undefined;
  readonly icon: string;
  /** The URLs of the style sheet and the script of all pages, and of the script that they load when somebody searches. */
  readonly siteStyle: string;
  readonly siteScript: string;
  readonly searchScript: string;
}

/** The parts in which pages differ. */
export interface PageParts {
  /** Undefined: the name of the bank. */
  readonly title?: string;
  readonly description: string;
  /** URL of a style sheet of its own. */
  readonly style?: string | undefined;
  /** URL of a script of its own. */
  readonly script?: string | undefined;
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
  ['/docs/reference/', 'Reference'],
  ['/docs/guides/', 'Guides'],
  ['/docs/catalogue/', 'Catalogue'],
  ['/dashboard/', 'Dashboard'],
] as const;

/**
 * Makes a whole page: head, header bar with navigation, and content.
 *
 * @param path of its URL, without slashes at the ends
 * @param file its path below `public/`, if it is not served under the path of a folder
 */
export function sitePage(site: Site, path: string, page: PageParts, file?: string): Output {
  const address = file === undefined && site.bank.publicUrl && `${site.bank.publicUrl}/${path}/`;
  return publicPage(path, layout(site, page, address || undefined), file);
}

function layout(site: Site, page: PageParts, address: string | undefined): string {
  const { bank } = site;
  const { place, below } = page;
  const title = html`${page.title && html`${page.title} · `}${bank.name}`;
  const links = places.map(([path, name]) => {
    if (path === place) return link(path, name, 'page');
    return link(path, name, path === below ? 'true' : undefined);
  });
  return html`<!doctype html>
<html lang="en" data-origin="${bank.publicUrl ?? sampleOrigin}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="description" content="${page.description}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${bank.name}">
<meta property="og:title" content="${page.title ?? bank.tagline}">
<meta property="og:description" content="${page.description}">
${
  address &&
  html`<meta property="og:url" content="${address}">
<link rel="canonical" href="${address}">`
}
${site.logo && bank.publicUrl && html`<meta property="og:image" content="${bank.publicUrl}${site.logo}">`}
<title>${title}</title>
<link rel="icon" href="${site.icon}">
${['inter', 'mono'].map(
  (name) =>
    html`<link rel="preload" href="/docs/${name}.woff2" as="font" type="font/woff2" crossorigin>\n`,
)}<link rel="stylesheet" href="${site.siteStyle}">
${page.style && html`<link rel="stylesheet" href="${page.style}">`}
<script type="module" src="${site.siteScript}"></script>
${page.script && html`<script type="module" src="${page.script}"></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/docs/"${place === '/docs/' && html` aria-current="page"`}>
${site.logo ? html`<img src="${site.logo}" alt="" height="24">` : mark}
<span>${bank.name}</span></a>
<nav aria-label="Pages" id="pages" popover>
${links}</nav>
${searchField(site.searchScript)}
${page.aside ?? ''}
<button class="icon menu" type="button" popovertarget="pages" aria-label="Menu">${icon('M2 5h16M2 10h16M2 15h16')}</button>
</header>
${page.main}
<footer class="bar">
${bank.report && html`<a href="/docs/guides/#report">Report a mistake</a>`}
${bank.contact && html`<a href="${contactUrl(bank.contact)}">Contact</a>`}
${bank.terms && html`<a href="${bank.terms}">Terms</a>`}
${bank.privacy && html`<a href="${bank.privacy}">Privacy</a>`}
<span>Powered by Pastpaper</span>
</footer>
</body>
</html>
`.text;
}

/** The mark of the software, for a bank without a logo. */
export const mark = html`<svg class="mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true" focusable="false">
<rect x="4" y="2" width="24" height="28" rx="4" stroke="none"/>
<path d="M10 10h12M10 16h12M10 22h8" stroke-width="2.5" stroke-linecap="round"/>
</svg>`;

/** A drawing on a button. @param line a path */
function icon(line: string): Html {
  return html`<svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.75" aria-hidden="true">
<path d="${line}"/></svg>`;
}

function searchField(script: string): Html {
  const keys = html`aria-keyshortcuts="/ Control+K" autocomplete="off" spellcheck="false" placeholder="Search"`;
  return html`<div class="search" role="search">
<input type="search" id="search" data-script="${script}" role="combobox" aria-label="Search the docs"
aria-expanded="false" aria-controls="search-results" aria-autocomplete="list" ${keys}><kbd aria-hidden="true">Ctrl K</kbd>
${icon('M8.5 3a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11M12.5 12.5L17 17')}
<div class="results" id="search-results" role="listbox" aria-label="Results" hidden></div>
<p class="unseen" id="search-status" role="status"></p>
</div>`;
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
export type ContentsLink = readonly [
  href: string,
  name: string | Html,
  subsections?: readonly ContentsLink[],
];

/**
 * The main part of a page of text beside a list of links. In a narrow window, they are folded above the text.
 *
 * @param lead markup below the title and the description
 * @param contents the name of the list, the links, and the one that leads to this page
 */
export function docsMain(
  { title, description }: { readonly title: string; readonly description: string },
  lead: Html,
  contents: {
    readonly label: string;
    readonly links: readonly ContentsLink[];
    readonly current?: string;
  },
  text: Html,
): Html {
  return html`<main id="main" class="docs">
<div class="lead">
<h1>${title}</h1>
<p>${description}</p>
${lead}
</div>
<nav class="contents" tabindex="0" aria-label="${contents.label}">
<details>
<summary>${contents.label}</summary>
${contentsList(contents.links, contents.current)}</details>
</nav>
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
${links.map(([href, name, subsections = []]) => {
  const more = subsections.length > 0 ? contentsList(subsections) : '';
  return html`<li>${link(href, name, href === current ? 'page' : undefined)}${more}</li>\n`;
})}</ul>
`;
}

/** @param current the value of `aria-current`: whether the link leads to this page, or to the one above it */
function link(href: string, name: string | Html, current?: 'page' | 'true'): Html {
  return html`<a href="${href}"${current === undefined ? '' : html` aria-current="${current}"`}>${name}</a>
`;
}
