/** The moment at which tests look at the content, unless they say otherwise. */
export const testNow = new Date('2026-01-01T00:00:00Z');
