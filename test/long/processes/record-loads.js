/** Imported before all else, it writes down each module that the process loads, to the file that RECORD_LOADS names. */
import { appendFileSync } from 'node:fs';
import { register } from 'node:module';

register(
  `data:text/javascript,${encodeURIComponent(`
    import { appendFileSync } from 'node:fs';
    export async function load(url, context, next) {
      appendFileSync(process.env.RECORD_LOADS, url + '\\n');
      return next(url, context);
    }
  `)}`,
);
appendFileSync(process.env.RECORD_LOADS ?? '', '');
