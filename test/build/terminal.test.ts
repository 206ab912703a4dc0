import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { makeBank, paperOf, paperPath, sampleQuestions } from './bank-folder.ts';
import { runShell } from './command.ts';

const noTerminal = spawnSync('script', ['--version']).error
  ? 'the program `script`, which creates a terminal, is not installed'
  : false;

const { dir } = await makeBank({
  [paperPath]: paperOf({ ...sampleQuestions.mcq, question: `${'Long ago, '.repeat(30)}$\\frac{1$?` }),
});

/** Returns the output of `validate` on a terminal with this number of columns. */
async function printed(columns: number, settings = ''): Promise<string> {
  const command = `stty cols ${columns}; env -u CI ${settings} "$0" build/pastpaper.js validate`;
  const { stdout } = await runShell(`script -qec '${command.replace('"$0"', process.execPath)}' /dev/null`, {
    CONTENT_DIR: dir,
  });
  return stdout;
}

describe('A report on a terminal', { skip: noTerminal }, () => {
  it('is in colour', async () => {
    const text = await printed(100, 'TERM=xterm-256color');
    assert.ok(text.includes('\u001b['), text);
    assert.match(stripVTControlCharacters(text), /error formula\r?\n/);
  });

  it('is not in colour if NO_COLOR is set', async () => {
    assert.ok(!(await printed(100, 'TERM=xterm-256color NO_COLOR=1')).includes('\u001b['));
  });

  for (const columns of [60, 100, 160]) {
    it(`has code frames that fit into ${columns} columns`, async () => {
      const text = stripVTControlCharacters(await printed(columns, 'TERM=xterm-256color'));
      const frame = text.split(/\r?\n/).filter((line) => line.includes('│'));
      assert.ok(frame.length >= 2, text);
      const widest = Math.max(...frame.map((line) => line.length));
      assert.ok(widest <= columns && widest > columns - 10, `${widest}`);
    });
  }
});

describe('A report that is not on a terminal', () => {
  it('is not in colour, and has code frames of up to 120 columns', async () => {
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
