/** Imported before all else, it writes down each module that the process loads, to the file that RECORD_LOADS names. */
import { appendFileSync } from 'node:fs';
import module from 'node:module';

const file = process.env.RECORD_LOADS ?? '';

if (module.registerHooks) {
  module.registerHooks({
    load(url, context, next) {
      appendFileSync(file, `${url}\n`);
      return next(url, context);
    },
  });
} else {
  // Node 20, and 22 before 22.15
  module.register(
    `data:text/javascript,${encodeURIComponent(`
      import { appendFileSync } from 'node:fs';
      export async function load(url, context, next) {
        appendFileSync(process.env.RECORD_LOADS, url + '\\n');
        return next(url, context);
      }
    `)}`,
  );
}
appendFileSync(file, '');
