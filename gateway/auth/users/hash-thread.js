// @ts-check
/**
 * A thread that hashes passwords and estimates their strength, one after the other, at a lower priority: on a small
 * machine, sign-ins would otherwise take half of the processor from downloads. Plain JavaScript, so that a thread can load
 * it without compiling.
 */
import { scryptSync } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';

try {
  // On Linux, a priority is that of a thread, and its id is not that of the process.
  setPriority(
    Number(basename(readlinkSync('/proc/thread-self'))),
    constants.priority.PRIORITY_BELOW_NORMAL,
  );
} catch {
  // Elsewhere, hashes have the priority of the process.
}

/** Characters of a password that are checked: twice as many take four times as long. */
const maxLength = 40;

/** @type {import('@zxcvbn-ts/core').ZxcvbnFactory | undefined} */
let estimator;

/**
 * Counts the guesses that find a password. The lists are loaded for the first one.
 *
 * @param {string} password
 * @param {string[]} known words that an attacker tries first
 */
async function countGuesses(password, known) {
  if (!estimator) {
    const { ZxcvbnFactory } = await import('@zxcvbn-ts/core');
    const { adjacencyGraphs: graphs, dictionary } = await import('@zxcvbn-ts/language-common');
    estimator = new ZxcvbnFactory({ graphs, dictionary, maxLength });
  }
  return estimator.check(password, known).guesses;
}

parentPort?.on('message', async ({ password, salt, length, options, known }) => {
  const result = known
    ? countGuesses(password, known)
    : scryptSync(password, salt, length, options);
  parentPort?.postMessage(await result);
});
