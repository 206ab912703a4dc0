/** The current time in tests of the build, by default. */
export const testNow = new Date('2026-01-01T00:00:00Z');
