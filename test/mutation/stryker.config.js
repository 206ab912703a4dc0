import { readdirSync } from 'node:fs';
import { slowTests } from './slow-tests.cjs';

const inFolder = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`);

/** Those that start no gateway and no Redis come first: most mutants go no further. */
const costOf = (file) => slowTests.findIndex((slow) => file.endsWith(slow));

const tests = [
  ...inFolder('test/gateway/access'),
  ...inFolder('test/gateway/limits'),
  ...inFolder('test/long/redis'),
  'test/long/processes/introspection-outages.test.ts',
  'test/specification/authentication.test.ts',
  'test/specification/limits.test.ts',
];

/** What is mutated, and which tests have to notice. `npm run test:long -- mutation` sets up what they run in. */
export default {
  mutate: ['gateway/access/**/*.ts', 'gateway/limits/**/*.ts'],
  testRunner: 'tap',
  tap: {
    testFiles: tests.toSorted((one, other) => costOf(one) - costOf(other)),
    nodeArgs: [
      '--import=tsx',
      '--require={{hookFile}}',
      '--require=./test/mutation/early-end.cjs',
      '--test-reporter=tap',
      '{{testFile}}',
    ],
  },
  // By test file: a mutant meets only those that run its line.
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // On top of half as long again as the tests of a mutant take without it.
  timeoutMS: 10_000,
  timeoutFactor: 1.5,
  // tsx looks at no types.
  disableTypeChecks: false,
  // Stryker would rewrite it by an API that TypeScript 7 has no more; nothing in it needs that.
  tsconfigFile: 'none',
  tempDirName: '.stryker-tmp',
  ignorePatterns: ['/docs', '/dist', '/.data', '/coverage', '/test/bench'],
  reporters: ['clear-text', 'json', 'html'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: 'coverage/mutation/mutation.json' },
  htmlReporter: { fileName: 'coverage/mutation/mutation.html' },
};
