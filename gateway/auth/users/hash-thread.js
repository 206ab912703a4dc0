// @ts-check
/**
 * A thread that hashes passwords, one after the other, at a lower priority: on a small machine, sign-ins would
 * otherwise take half of the processor from downloads. Plain JavaScript, so that a thread can load it without compiling.
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

parentPort?.on('message', ({ password, salt, length, options }) => {
  parentPort?.postMessage(scryptSync(password, salt, length, options));
});
