/**
 * Fails a test file early if its mutant makes it hang or throw outside a test, which would otherwise be reported only when
 * everything that the file started has ended.
 */
const { writeSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');
const { slowTests } = require('./slow-tests.cjs');

/** Seconds: several times the normal duration of the tests. */
const [usual, longest] = [30, 120];

function fail(reason) {
  writeSync(1, `\nnot ok - ${reason}\n`);
  process.exit(1);
}

// Worker threads preload this module too.
if (isMainThread) {
  const [, file = ''] = process.argv;
  const limit = slowTests.slice(-2).some((slow) => file.endsWith(slow)) ? longest : usual;
  setTimeout(fail, limit * 1000, `it took longer than ${limit} s`).unref();
  process.on('uncaughtExceptionMonitor', () => fail('it failed outside its tests'));
}
