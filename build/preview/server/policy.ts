/**
 * The Content-Security-Policy of the pages: scripts, styles, fonts, pictures and requests of this server alone.
 * Attributes of style are let through, and nothing else inline: KaTeX says in them where each sign of a formula
 * stands. They cannot come from the content, which is escaped, and run nothing.
 */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self'; " +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A diagram that is opened by itself is a document: an SVG may look as it likes, and do nothing. */
const diagramPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/** What every answer says: pages of others neither read it nor show it. */
const common = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

export const pageHeaders = {
  ...common,
  'Content-Security-Policy': pagePolicy,
  'Cache-Control': 'no-store',
};

export const diagramHeaders = {
  ...common,
  'Content-Security-Policy': diagramPolicy,
  'Cache-Control': 'no-cache',
};

/** Of what has its version in its address. */
export const assetHeaders = {
  ...common,
  'Content-Security-Policy': pagePolicy,
  'Cache-Control': 'max-age=31536000, immutable',
};

export const eventHeaders = {
  ...common,
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
};
