/** Test files that start servers or wait for time to pass: those that take longest last. */
exports.slowTests = [
  'limit-requests.test.ts',
  'redis-limits.test.ts',
  'shared-usage.test.ts',
  'unwritten-counts.test.ts',
  'failed-keys.test.ts',
  'introspection-client.test.ts',
  'cross-origin.test.ts',
  'authenticate.test.ts',
  'authentication.test.ts',
  'oidc-provider.test.ts',
  'stores.test.ts',
  'introspection-retry.test.ts',
  'specification/limits.test.ts',
  'in-process.test.ts',
  'introspection-outages.test.ts',
  'redis-outages.test.ts',
];
