// @ts-check
import { readFileSync } from 'node:fs';

const [shared = '', ...sections] = readFileSync(
  new URL('./usage.txt', import.meta.url),
  'utf8',
).split(/^=== /m);

/** What several commands say, by the name that stands for it. */
const paragraphs = Array.from(
  shared.matchAll(/^(\{.+?\}) (.+)$/gm),
  ([, name = '', line = '']) => ({
    name,
    line,
  }),
);

/**
 * What `--help` prints for each command, from `usage.txt`, in the order of the overview. Plain text, so that help needs
 * neither the compiler nor the command itself. The overview has the first sentence of each description.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const usages = Object.fromEntries(
  sections.map((section) => {
    const lineEnd = section.indexOf('\n');
    const text = `${section.slice(lineEnd).trim()}\n`;
    const whole = paragraphs.reduce((all, { name, line }) => all.replace(name, line), text);
    return [section.slice(0, lineEnd), whole];
  }),
);
