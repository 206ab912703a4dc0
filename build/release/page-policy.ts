/**
 * The Content-Security-Policy of every page: scripts, styles, pictures and requests of this origin alone,
 * nothing inline. The build writes it into the pages, so that a host that knows no headers keeps it too;
 * the gateway sends it as a header, with `frame-ancestors`, which a page itself cannot say. A
 * picture may also be one that a script of the page has fetched with a key.
 */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; form-action 'self'; base-uri 'none'";
