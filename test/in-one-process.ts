/** Runs test files one after the other in this process, which starts Node and tsx once and loads shared modules once. */
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) {
  // In its own suite, the hooks of a file do not apply to the whole process.
  await describe(file, async () => {
    await import(pathToFileURL(file).href);
  });
}
