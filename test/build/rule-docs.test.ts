import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { allRules } from '../../build/rules/rules.ts';

const docs = await readFile(new URL('../../docs/validation.md', import.meta.url), 'utf8');

/** The cells of each row of the table of rules, as they read. */
const rows = docs
  .split('\n')
  .map((line) => /^\| `([a-z0-9-]+)` +\| (.+?) +\| (.+?) +\|$/.exec(line)?.slice(1))
  .filter((row) => row !== undefined)
  .map(([name, severity, description = '']) => [name, severity, asRead(description)]);

/** Markdown's escapes, and the dollars that would begin a formula, as a reader sees them. */
function asRead(markdown: string): string {
  return markdown.replace(/\\([\\<|_*])/g, '$1').replaceAll('&#36;', '$');
}

describe('The table of rules in the docs', () => {
  it('has every rule, with its severity and whether exceptions are made of it', () => {
    const expected = allRules.map(({ name, severity, strict, description }) => [
      name,
      strict ? `${severity}, _always_` : severity,
      description,
    ]);
    assert.deepEqual(rows, expected);
  });
});
