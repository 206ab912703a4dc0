/** Runs test files one after the other in this process, which starts Node and tsx once and loads shared modules once. */
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { runTogether } from './close-at-end.ts';

const { Date: realDate } = globalThis;
// Properties have the same values in every run, unless SEED in the environment asks for others.
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) });

await runTogether(async () => {
  for (const file of process.argv.slice(2)) {
    await new Promise<void>((ended) => {
      // In its own suite, the hooks of a file do not apply to the whole process.
      void describe(file, async () => {
        after(() => {
          // Tests of gateways set the date.
          globalThis.Date = realDate;
          ended();
        });
        await import(pathToFileURL(file).href);
      });
    });
  }
});
