import { readdirSync } from 'node:fs';
import { slowTests } from './slow-tests.cjs';

const inFolder = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`);

/** Tests without a gateway or Redis come first: most mutants do not survive them. */
const costOf = (file) => slowTests.findIndex((slow) => file.endsWith(slow));

const tests = [
  ...inFolder('test/gateway/access'),
  ...inFolder('test/gateway/limits'),
  ...inFolder('test/long/redis'),
  'test/long/processes/introspection-outages.test.ts',
  'test/specification/authentication.test.ts',
  'test/specification/limits.test.ts',
];

/** The mutated files, and the tests that must detect mutants. `npm run test:long -- mutation` sets up the environment. */
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
  // A mutant is tested only by test files that execute its line.
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // The timeout is 1.5 times the normal duration of the tests, plus 10 s.
  timeoutMS: 10_000,
  timeoutFactor: 1.5,
  // tsx does not check types.
  disableTypeChecks: false,
  // Stryker would rewrite it with an API that TypeScript 7 has removed, and does not need to.
  tsconfigFile: 'none',
  tempDirName: '.stryker-tmp',
  ignorePatterns: ['/docs', '/dist', '/.data', '/coverage', '/test/bench'],
  reporters: ['clear-text', 'json', 'html'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: 'coverage/mutation/mutation.json' },
  htmlReporter: { fileName: 'coverage/mutation/mutation.html' },
};
