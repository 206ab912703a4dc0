/** Runs test files one after the other in this process, which starts Node and tsx once and loads shared modules once. */
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { runTogether } from './close-at-end.ts';
import { FakeDate } from './gateway/fake-system.ts';

const { Date: realDate } = globalThis;
// Properties have the same values in every run, unless SEED in the environment asks for others.
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) });

await runTogether(async () => {
  for (const file of process.argv.slice(2)) {
    await new Promise<void>((ended) => {
      // In its own suite, the hooks of a file do not apply to the whole process.
      void describe(file, async () => {
        // Long suites, and services that are running, have the clock of this machine.
        const isReal =
          file.startsWith('test/long/') || process.env['SET_UP'] || process.env['BASE_URL'];
        globalThis.Date = isReal ? realDate : FakeDate;
        after(() => ended());
        await import(pathToFileURL(file).href);
      });
    });
  }
});

// What a failed test has left open would keep this process, and whoever waits for it.
setTimeout(() => {
  console.log(
    `✖ Open 20 seconds after the last test: ${process.getActiveResourcesInfo().join(', ')}.`,
  );
  process.exit(1);
}, 20_000).unref();
