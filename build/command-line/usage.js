// @ts-check
import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('./usage.txt', import.meta.url), 'utf8');

/**
 * What `--help` prints for each command, from `usage.txt`, in the order of the overview. Plain text, so that help needs
 * neither the compiler nor the command itself. The overview has the first sentence of each description.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const usages = Object.fromEntries(
  text
    .split(/^=== /m)
    .slice(1)
    .map((section) => {
      const lineEnd = section.indexOf('\n');
      return [section.slice(0, lineEnd), `${section.slice(lineEnd).trim()}\n`];
    }),
);
