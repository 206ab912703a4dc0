import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { allRules } from '../../build/rules/rules.ts';

const docs = await readFile(new URL('../../docs/validation.md', import.meta.url), 'utf8');

/** The cells of each row of the table of rules, as plain text. */
const rows = docs
  .split('\n')
  .map((line) => /^\| `([a-z0-9-]+)` +\| (.+?) +\| (.+?) +\|$/.exec(line)?.slice(1))
  .filter((row) => row !== undefined)
  .map(([name, severity, description = '']) => [name, severity, plainText(description)]);

/** Removes the escapes of Markdown, and decodes the dollars that would begin a formula. */
function plainText(markdown: string): string {
  return markdown.replace(/\\([\\<|_*])/g, '$1').replaceAll('&#36;', '$');
}

describe('The table of rules in the docs', () => {
  it('has every rule, with its severity and whether it allows exceptions', () => {
    const expected = allRules.map(({ name, severity, strict, description }) => [
      name,
      strict ? `${severity}, _always_` : severity,
      description,
    ]);
    assert.deepEqual(rows, expected);
  });
});
