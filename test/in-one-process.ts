/** Runs test files one after the other in this process: each saves a start of Node and tsx, and shares loaded modules. */
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) {
  // In a suite of its own, a file's hooks are not those of the whole process.
  await describe(file, async () => {
    await import(pathToFileURL(file).href);
  });
}
