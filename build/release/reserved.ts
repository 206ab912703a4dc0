/** First path segments that the service uses itself, so that no exam may bear them as its code. */
export const reservedNames: ReadonlySet<string> = new Set([
  'auth',
  'dashboard',
  'docs',
  'favicon.ico',
  'robots.txt',
]);
