/** Checks that the tests named in the table of docs/faults.md exist, and that every file of the suite is named. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { repository } from '../gateway/started-process.ts';

const text = await readFile(join(repository, 'docs/faults.md'), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => line.split('|').slice(1, -1));

/** A test in the last cell: its file, and its name or the constant part of it. */
const namedTest = /`(test\/\S+\.test\.ts)`, “([^”]+)”/g;

describe('The table of faults', () => {
  it('names a promise and a test for each fault', async () => {
    assert.ok(rows.length > 0);
    for (const row of rows) {
      assert.equal(row.length, 3, row.join('|'));
      assert.ok(
        row.every((cell) => cell.trim() !== ''),
        row.join('|'),
      );
      const named = [...(row[2] ?? '').matchAll(namedTest)];
      assert.ok(named.length > 0, `${row[0]} names no test`);
      for (const [, file = '', name = ''] of named) {
        const source = await readFile(join(repository, file), 'utf8');
        assert.ok(source.includes(name), `${file} has no test “${name}”`);
      }
    }
  });

  it('names every file of the suite', async () => {
    const files = (await readdir(join(repository, 'test/long/faults'))).filter((file) =>
      file.endsWith('.test.ts'),
    );
    const missing = files.filter((file) => !text.includes(`test/long/faults/${file}`));
    assert.deepEqual(missing, []);
  });
});
