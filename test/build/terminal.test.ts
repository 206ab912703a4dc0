import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { makeBank, paperOf, paperPath, sampleQuestions } from './bank-folder.ts';
import { runShell } from './command.ts';

const noTerminal = spawnSync('script', ['--version']).error
  ? 'there is no `script` to make a terminal with'
  : false;

const { dir } = await makeBank({
  [paperPath]: paperOf({ ...sampleQuestions.mcq, question: `${'Long ago, '.repeat(30)}$\\frac{1$?` }),
});

/** What `validate` prints on a terminal with so many columns. */
async function printed(columns: number, settings = ''): Promise<string> {
  const command = `stty cols ${columns}; env -u CI ${settings} "$0" build/pastpaper.js validate`;
  const { stdout } = await runShell(`script -qec '${command.replace('"$0"', process.execPath)}' /dev/null`, {
    CONTENT_DIR: dir,
  });
  return stdout;
}

describe('On a terminal', { skip: noTerminal }, () => {
  it('a report is in colours', async () => {
    const text = await printed(100, 'TERM=xterm-256color');
    assert.ok(text.includes('\u001b['), text);
    assert.match(stripVTControlCharacters(text), /error formula\r?\n/);
  });

  it('a report is without colours where NO_COLOR asks for that', async () => {
    assert.ok(!(await printed(100, 'TERM=xterm-256color NO_COLOR=1')).includes('\u001b['));
  });

  for (const columns of [60, 100, 160]) {
    it(`of ${columns} columns, frames are no wider`, async () => {
      const text = stripVTControlCharacters(await printed(columns, 'TERM=xterm-256color'));
      const frame = text.split(/\r?\n/).filter((line) => line.includes('│'));
      assert.ok(frame.length >= 2, text);
      const widest = Math.max(...frame.map((line) => line.length));
      assert.ok(widest <= columns && widest > columns - 10, `${widest}`);
    });
  }
});

describe('Where there is no terminal', () => {
  it('a report is without colours, and its frames are 120 columns wide', async () => {
    const { stdout } = await runShell('"$0" build/pastpaper.js validate', { CONTENT_DIR: dir });
    assert.ok(!stdout.includes('\u001b['));
    const widest = Math.max(
      ...stdout
        .split('\n')
        .filter((line) => line.includes('│'))
        .map(({ length }) => length),
    );
    assert.ok(widest <= 120 && widest > 110, `${widest}`);
  });
});
