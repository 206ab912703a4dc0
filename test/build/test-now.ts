/** The current time in tests of the build, by default. */
export const testNow = new Date('2026-02-01T00:00:00Z');
