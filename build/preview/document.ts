import { type Html, html } from '../site/html.ts';
import { readParts } from '../site/template.ts';
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
  readonly bank: LiveBank;
  readonly assets: PageAssets;
}

/** What differs between pages. */
export interface PageParts {
  readonly title: string;
  /** The content of the element `main`. */
  readonly main: Html;
}

/** A status, and the HTML of the body. */
export interface Page {
  readonly status: number;
  readonly text: string;
}

/** Fills in a part of `pages.html`. */
export const pagePart = readParts('pages.html', import.meta.url);

/** Renders a page about an error. */
export function errorPage(
  context: PageContext,
  status: number,
  title: string,
  reason: string,
): Page {
  return page(context, status, { title, main: pagePart('error', { title, reason }) });
}

/**
 * A complete page. Not the layout of the site: KaTeX needs style attributes, which the policy of the site's pages
 * forbids, and the preview has no place in the site's navigation. The version changes with the content: the script
 * reloads the page when the server sends another one.
 */
export function page({ bank, assets }: PageContext, status: number, parts: PageParts): Page {
  const { config, version, warning } = bank;
  const styles = assets.styles.map((style) => html`<link rel="stylesheet" href="${style}">\n`);
  const values = { ...assets, ...parts, styles, name: config.name, version, warning };
  return { status, text: pagePart('document', values).text };
}
