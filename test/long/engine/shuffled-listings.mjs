/**
 * Preloaded into a build: shuffles directory entries each time they are listed. Plain JavaScript, so that worker threads
 * can load it.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

function shuffled(entries) {
  if (!Array.isArray(entries)) return entries;
  for (let index = entries.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [entries[index], entries[other]] = [entries[other], entries[index]];
  }
  return entries;
}

const { readdir, readdirSync } = fs;
const readdirLater = fs.promises.readdir;
fs.readdirSync = (...args) => shuffled(readdirSync(...args));
fs.promises.readdir = async (...args) => shuffled(await readdirLater(...args));
fs.readdir = (...args) => {
  const callback = args.pop();
  readdir(...args, (error, entries) => callback(error, shuffled(entries)));
};
syncBuiltinESMExports();
