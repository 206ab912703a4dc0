/**
 * Ends a test file, as one that has failed, which waits for what its mutant never does, or fails beside its tests: that
 * would be told only when all that it started is at its end.
 */
const { writeSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');
const { slowTests } = require('./slow-tests.cjs');

/** Seconds: several times what the tests take. */
const [usual, longest] = [30, 120];

function fail(reason) {
  writeSync(1, `\nnot ok - ${reason}\n`);
  process.exit(1);
}

// Threads are started with the same modules.
if (isMainThread) {
  const [, file = ''] = process.argv;
  const limit = slowTests.slice(-2).some((slow) => file.endsWith(slow)) ? longest : usual;
  setTimeout(fail, limit * 1000, `it took longer than ${limit} s`).unref();
  process.on('uncaughtExceptionMonitor', () => fail('it failed beside its tests'));
}
