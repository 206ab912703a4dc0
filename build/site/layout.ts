import { type Bank, isEmail } from '../release/bank.ts';
import { pagePolicy } from '../release/headers.ts';
import { Html, html } from './html.ts';
import { fill, readParts, readTemplate } from './template.ts';
import { sampleOrigin } from './text.ts';

/** What all pages share. */
export interface Site {
  readonly bank: Bank;
  /** URLs: of the logo, or undefined for the mark of the software, and of the icon. */
  readonly logo: string | undefined;
  readonly icon: string;
  /** URLs of the style sheet and scripts of all pages, and of what the search loads when somebody searches. */
  readonly siteStyle: string;
  readonly siteScript: string;
  readonly searchScript: string;
  readonly searchEngine: string;
}

/** The parts in which pages differ. */
export interface PageParts {
  /** Undefined: the name of the bank. */
  readonly title?: string;
  readonly description: string;
  /** URL of a style sheet of its own. */
  readonly style?: string | undefined;
  /** URL of a script of its own. */
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
  ['/docs/reference/', 'Reference'],
  ['/docs/guides/', 'Guides'],
  ['/docs/catalogue/', 'Catalogue'],
  ['/dashboard/', 'Dashboard'],
] as const;

/** Renders a whole page: head, header bar with navigation, and content. */
export function layout(site: Site, page: PageParts): string {
  const { bank, ...urls } = site;
  const { place, below, ...parts } = page;
  return fill(readTemplate('layout.html', import.meta.url), {
    name: bank.name,
    origin: bank.publicUrl ?? sampleOrigin,
    pagePolicy,
    ...urls,
    title: undefined,
    style: undefined,
    script: undefined,
    aside: undefined,
    ...parts,
    hasSearch: (place ?? below)?.startsWith('/docs/'),
    isLanding: place === '/docs/',
    places: html`${places.map(([path, name]) => {
      if (path === place) return link(path, name, 'page');
      return link(path, name, path === below ? 'true' : undefined);
    })}`,
    contact: bank.contact && contactUrl(bank.contact),
    terms: bank.terms,
    privacy: bank.privacy,
  }).text;
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

const part = readParts('docs.html', import.meta.url);

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
  const links = contentsList(contents.links, contents.current);
  return part('docs', {
    title,
    description,
    lead,
    label: contents.label,
    links,
    text: linkHeadings(text),
  });
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
