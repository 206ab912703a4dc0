/**
 * Preloaded into a build: kills the process with SIGKILL at call number KILL_AT_CALL that changes files below DIST_DIR or
 * DATA_DIR or, if KILL_AT_SWITCH is set, entries of DIST_DIR itself, as the switch to a release does. A write first
 * writes half of its bytes. A process that is not killed prints the number of calls to standard error. Each thread
 * counts its own calls. Plain JavaScript, so that worker threads can load it.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, resolve, sep } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const dist = resolve(process.env.DIST_DIR);
const folders = [process.env.DIST_DIR, process.env.DATA_DIR].map((folder) => resolve(folder) + sep);
const killAt = Number(process.env.KILL_AT_CALL);
const { writeSync, writeFileSync } = fs;

const pathFunctions = 'chmod copyFile cp link mkdir open rename rm rmdir symlink unlink'.split(' ');
const handleMethods = 'write writev writeFile appendFile truncate datasync sync chmod close'.split(
  ' ',
);

/** Descriptors of files below the folders. */
const descriptors = new Set();
let calls = 0;

function isBelow(path) {
  if (typeof path !== 'string') return false;
  if (process.env.KILL_AT_SWITCH) return dirname(resolve(path)) === dist;
  return folders.some((folder) => resolve(path).startsWith(folder));
}

/** @param data the data of a write */
function count(write, data) {
  calls += 1;
  if (calls !== killAt) return;
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  if (ArrayBuffer.isView(bytes)) write(bytes.subarray(0, Math.floor(bytes.byteLength / 2)));
  process.kill(process.pid, 'SIGKILL');
}

function countPaths(holder, suffix = '') {
  for (const name of pathFunctions) {
    const call = holder[name + suffix];
    holder[name + suffix] = (...args) => {
      if (isBelow(args[0]) || isBelow(args[1])) count();
      return call.apply(holder, args);
    };
  }
  for (const name of ['writeFile', 'appendFile']) {
    const call = holder[name + suffix];
    holder[name + suffix] = (...args) => {
      if (isBelow(args[0])) count((half) => writeFileSync(args[0], half), args[1]);
      return call.apply(holder, args);
    };
  }
}

function countDescriptors() {
  for (const name of [
    'writeSync',
    'writevSync',
    'fsyncSync',
    'fdatasyncSync',
    'ftruncateSync',
    'closeSync',
  ]) {
    const call = fs[name];
    fs[name] = (...args) => {
      if (descriptors.has(args[0])) count((half) => writeSync(args[0], half), args[1]);
      if (name === 'closeSync') descriptors.delete(args[0]);
      return call.apply(fs, args);
    };
  }
}

function countHandles() {
  const { open } = fs.promises;
  fs.promises.open = async (...args) => {
    const handle = await open.apply(fs.promises, args);
    if (!isBelow(args[0])) return handle;
    for (const name of handleMethods) {
      const call = handle[name];
      handle[name] = (...words) => {
        count((half) => writeSync(handle.fd, half), words[0]);
        return call.apply(handle, words);
      };
    }
    return handle;
  };
}

function trackDescriptors() {
  const { openSync } = fs;
  fs.openSync = (...args) => {
    const descriptor = openSync(...args);
    if (isBelow(args[0])) descriptors.add(descriptor);
    return descriptor;
  };
}

countPaths(fs.promises);
countPaths(fs, 'Sync');
countDescriptors();
countHandles();
trackDescriptors();
syncBuiltinESMExports();
if (isMainThread) process.on('exit', () => process.stderr.write(`${calls} calls\n`));
