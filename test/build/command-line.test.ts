import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { recordBaseline } from '../../build/check/exceptions.ts';
import { terminal } from '../../build/command-line/command.ts';
import { usages } from '../../build/command-line/usage.js';
import { progressLine } from '../../build/commands/progress.ts';
import {
  examPath,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
  temporaryFolder,
} from './bank-folder.ts';
import { assertNoStackTrace, type Outcome, runCommand, runShell, spawnCommand } from './command.ts';
import { png } from './image-bytes.ts';

/** Tests run concurrently, because each waits for its own processes. */
const concurrent = { concurrency: 2 };

/** Runs `build` into a folder that does not exist yet. */
async function runBuild(dir: string): Promise<Outcome & { readonly dist: string }> {
  const dist = join(await temporaryFolder(), 'dist');
  return { dist, ...(await runCommand(['build'], { CONTENT_DIR: dir, DIST_DIR: dist })) };
}

describe('Exit status 0', concurrent, () => {
  it('is returned by a build that publishes, which prints a summary', async () => {
    const { dir } = await makeBank();
    const { status, stdout, stderr, dist } = await runBuild(dir);
    assert.equal(status, 0);
    const [release] = await readdir(join(dist, 'releases'));
    assert.match(
      stdout,
      /^Published release [0-9a-f]{16}: 1 question in 2 files, \d+ changed public URLs, in \d+\.\d s\.\n {2}Public +\d+ responses created, 0 unchanged\n {2}Samples +not in the content: neet\/2026\/2026-01-01-s1\/physics, .*\. Correct "samples" in pastpaper\.config\.json\.\n$/,
    );
    assert.ok(stdout.includes(`release ${release}:`));
    assert.equal(stderr, '');
  });

  it('is returned for warnings, with which a build publishes and which it reports', async () => {
    const bank = await makeBank({ [`${shiftPath}/diagrams/q9.png`]: png(2, 2) });
    const settings = { CONTENT_DIR: bank.dir, DIST_DIR: await temporaryFolder() };
    const { status, stdout, stderr } = await runCommand(['build'], settings);
    assert.equal(status, 0);
    assert.match(stdout, /^Published release /);
    assert.match(stderr, /q9\.png:1:1 warning unused-diagram\n/);
    assert.match(stderr, /1 question in 2 files: 0 errors, 1 warning\.\n$/);
    assert.equal((await runCommand(['validate'], settings)).status, 0);
  });

  it('is returned by validate for valid content, which prints counts and publishes nothing', async () => {
    const { dir } = await makeBank();
    const dist = join(await temporaryFolder(), 'dist');
    const outcome = await runCommand(['validate', '--format', 'text'], {
      CONTENT_DIR: dir,
      DIST_DIR: dist,
    });
    assert.deepEqual(outcome, {
      status: 0,
      stdout: '1 question in 2 files: 0 errors, 0 warnings.\n',
      stderr: '',
    });
    assert.equal(existsSync(dist), false);
  });
});

describe('validate --rule', concurrent, () => {
  it('reports and counts only the problems of these rules, all of them, in any format', async () => {
    const { mcq } = sampleQuestions;
    const many = Array.from({ length: 30 }, (_, index) => ({
      ...mcq,
      id: `q${index}`,
      question: `Which is unit ${index}?`,
      answer: 'C',
      ...(index === 0 && { topic: '', accepted: ['C', 'B'] }),
    }));
    const { dir } = await makeBank({ [paperPath]: paperOf(...many) });
    const only = async (...args: string[]) => {
      const { status, stdout } = await runCommand(['validate', ...args], { CONTENT_DIR: dir });
      return { status, stdout };
    };
    const text = await only('--rule', 'answer-among-options', '--rule', 'schema');
    assert.equal(text.status, 1);
    assert.equal(text.stdout.match(/^ {2}"C" is not the key/gm)?.length, 31);
    assert.match(
      text.stdout,
      /answer-among-options {2}31 errors\n {2}schema +1 error\n\n30 questions in 2 files: 32 errors, /,
    );
    const json = await only('--rule', 'schema', '--format', 'json');
    assert.deepEqual(
      JSON.parse(json.stdout).diagnostics.map(({ rule }: { rule: string }) => rule),
      ['schema'],
    );
    const none = await only('--rule', 'html');
    assert.deepEqual(none, {
      status: 0,
      stdout: '30 questions in 2 files: 0 errors, 0 warnings.\n',
    });
    const unfiltered = await only();
    assert.match(
      unfiltered.stdout,
      /^ {2}The same in 30 more places of this file: lines \d+, \d+, \d+ \.\.\.\n/m,
    );
  });
});

describe('validate --baseline', concurrent, () => {
  it('accepts the problems that a bank has, by question; a new one and a fixed one are reported', async () => {
    const { mcq } = sampleQuestions;
    const starred = { ...mcq, question: 'Is 2*x*3 right?', solution: 'As 2*y*3 is.' };
    const bank = await makeBank({ [paperPath]: paperOf(starred, { ...mcq, id: 'q2' }) });
    const validate = async (...args: string[]) =>
      runCommand(['validate', ...args], { CONTENT_DIR: bank.dir });
    assert.equal((await validate()).status, 1);
    const { status, stderr } = await validate('--baseline');
    assert.deepEqual(
      [status, stderr],
      [0, `Recorded 2 problems in ${join(bank.dir, 'baseline.json')}.\n`],
    );
    await bank.write(
      paperPath,
      paperOf({ ...mcq, id: 'q0', question: 'Is it 4*x*5?' }, starred, { ...mcq, id: 'q2' }),
    );
    const more = await validate();
    assert.match(
      more.stdout,
      / error emphasis\n[\s\S]*\n3 questions in 2 files: 1 error, 0 warnings\.\n$/,
    );
    await bank.write(
      paperPath,
      paperOf({ ...starred, solution: 'As it is.' }, { ...mcq, id: 'q2' }),
    );
    const fewer = await validate();
    assert.match(
      fewer.stdout,
      /baseline\.json:\d+:\d+ error exception\n {2}This exception is for 2 problems, and 1 is left\./,
    );
    await validate('--baseline');
    assert.equal((await validate()).status, 0);
  });

  it('keeps the old baseline until the new one is complete', async () => {
    const old = { exceptions: [{ rule: 'emphasis', question: 'q1', count: 1, reason: 'It is.' }] };
    const bank = await makeBank({ 'baseline.json': old });
    const stopped = recordBaseline(bank.dir, () => Promise.reject(new Error('stopped')));
    await assert.rejects(stopped, /stopped/);
    assert.deepEqual(JSON.parse(await readFile(join(bank.dir, 'baseline.json'), 'utf8')), old);
  });
});

describe('Exit status 1', concurrent, () => {
  it('is returned by a build with errors, which reports all problems and publishes nothing', async () => {
    const bank = await makeBank({ [examPath]: '{', [`${shiftPath}/notes.txt`]: '' });
    await bank.set(paperPath, '/questions/0/topic', '');
    const { status, stdout, stderr, dist } = await runBuild(bank.dir);
    assert.equal(status, 1);
    assert.equal(stdout, '');
    for (const rule of ['syntax', 'schema', 'stray-file'])
      assert.ok(stderr.includes(`error ${rule}\n`), stderr);
    assert.match(
      stderr,
      /1 question in 2 files: 3 errors, 0 warnings\.\nNothing was published\.\n$/,
    );
    assert.deepEqual(await readdir(join(dist, 'releases')), []);
  });

  it('is returned by validate for content with errors, which it prints to standard output', async () => {
    const bank = await makeBank({ [paperPath]: paperOf({ ...sampleQuestions.mcq, answer: 'Z' }) });
    const outcome = await runCommand(['validate'], { CONTENT_DIR: bank.dir });
    assert.equal(outcome.status, 1);
    assert.match(outcome.stdout, /error answer-among-options\n/);
    assert.equal(outcome.stderr, '');
  });
});

describe('Exit status 2 is returned for', concurrent, () => {
  const misuses: readonly (readonly [line: string, RegExp])[] = [
    ['build --force', /^Unknown option "--force"\.\n/],
    ['validate --fromat json', /^Unknown option "--fromat"\. Did you mean "--format"\?\n/],
    [
      'validate --format xml',
      /^Unknown format "xml"\. Available formats: text, github, sarif, junit, json\.\n/,
    ],
    ['validate --dry-run', /^--dry-run names the changes of --fix\. Add --fix\.\n/],
    ['validate --explain spelling', /^Unknown rule "spelling"\. /],
    [
      'validate --rule schema --rule formulas',
      /^Unknown rule "formulas"\. Did you mean "formula"\?\n/,
    ],
    ['diff HEAD HEAD~1', /^Unexpected argument "HEAD~1"\.\n/],
    ['diff HEAD --format=json', /^Unknown format "json"\. Available formats: text, markdown\.\n/],
  ];
  it('wrong arguments', async () => {
    const { dir } = await makeBank();
    for (const [line, message] of misuses) {
      const settings = { CONTENT_DIR: dir, DIST_DIR: join(dir, '..', 'never') };
      const outcome = await runCommand(line.split(' '), settings);
      assert.deepEqual([outcome.status, outcome.stdout], [2, ''], line);
      assert.match(outcome.stderr, message);
      assert.match(outcome.stderr, /\n\nUsage: /);
      assertNoStackTrace(outcome);
    }
  });

  it('a word with control characters, which it makes visible', async () => {
    const { status, stderr } = await runCommand(['validate', '--explain', '\u001b[31m\u202e']);
    assert.equal(status, 2);
    assert.match(stderr, /^Unknown rule "\\u001b\[31m\\u202e"\./);
  });

  it('no command, and an unknown command', async () => {
    for (const [args, message] of [
      [[], /^Missing command\.\n\nUsage: /],
      [['biuld'], /^Unknown command "biuld"\. Did you mean "build"\?\n/],
      [['doctor', '--jsn'], /^Unknown option "--jsn"\. Did you mean "--json"\?\n/],
    ] as const) {
      const outcome = await spawnCommand(args, { DIST_DIR: 'none' });
      assert.equal(outcome.status, 2);
      assert.equal(outcome.stdout, '');
      assert.match(outcome.stderr, message);
    }
  });

  it('a content folder that does not exist or is a file', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'file'), '');
    for (const line of ['build none', 'validate none', 'validate file']) {
      const [command = '', name = ''] = line.split(' ');
      const settings = { CONTENT_DIR: join(folder, name), DIST_DIR: join(folder, 'dist') };
      const stderr = `The content folder ${settings.CONTENT_DIR} does not exist. Set CONTENT_DIR to your content folder.\n`;
      assert.deepEqual(await runCommand([command], settings), { status: 2, stdout: '', stderr });
    }
  });

  it('a DIST_DIR that cannot be created', async () => {
    const { dir } = await makeBank();
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    for (const dist of [file, join(file, 'a', 'b')]) {
      const outcome = await runCommand(['build'], { CONTENT_DIR: dir, DIST_DIR: dist });
      assert.equal(outcome.status, 2, dist);
      assert.equal(outcome.stdout, '');
      assert.match(
        outcome.stderr,
        /^The file system rejected mkdir of .*\/file.* \((ENOTDIR|EEXIST)\)\.\n$/,
      );
      assertNoStackTrace(outcome);
    }
  });
});

describe('No stack trace is printed', concurrent, () => {
  it('when the reader of the report closes the pipe', async () => {
    const notes = Array.from({ length: 400 }, (_, index) => [`neet/note-${index}.txt`, '']);
    const { dir } = await makeBank(Object.fromEntries(notes));
    const outcome = await runShell(`"$0" build/pastpaper.js validate | head -n 1`, {
      CONTENT_DIR: dir,
    });
    assert.equal(outcome.stdout, '400 errors, 0 warnings in 400 files:\n');
    assertNoStackTrace(outcome);
  });
});

it('--help prints the usage of a command, and an overview of all', async () => {
  for (const [command, usage] of Object.entries(usages))
    assert.match(usage, new RegExp(`^Usage:\\s+(API_KEY=\\S+ )?pastpaper ${command}\\b`));
  const outcome = await spawnCommand(['keys', '--help']);
  assert.deepEqual(outcome, { status: 0, stdout: usages['keys'], stderr: '' });
  const { status, stdout } = await spawnCommand(['--help']);
  assert.equal(status, 0);
  for (const command of Object.keys(usages)) assert.ok(stdout.includes(command), command);
});

it('CONTENT_DIR defaults to content', async () => {
  const { stdout } = await runCommand(['validate'], { CONTENT_DIR: '' });
  assert.match(stdout, /^\d{2,} questions in \d+ files: 0 errors, 0 warnings\.\n$/);
});

it('A report is in colour and as wide as the terminal; elsewhere it has 120 columns, and no colour but by FORCE_COLOR', () => {
  const stream = { write: () => true, columns: 60, isTTY: true, hasColors: () => true };
  assert.deepEqual(terminal(stream, {}), { width: 60, colour: true });
  // Node.js respects NO_COLOR.
  assert.equal(terminal({ ...stream, hasColors: () => false }, {}).colour, false);
  const log = { ...stream, columns: 0, isTTY: false };
  assert.deepEqual(terminal(log, {}), { width: 120, colour: false });
  assert.equal(terminal(log, { FORCE_COLOR: '1' }).colour, true);
  assert.equal(terminal(log, { FORCE_COLOR: '1', NO_COLOR: '1' }).colour, false);
});

/** Creates a progress line with a fake clock that `pass` advances. `output` has what it wrote. */
function start(stream: { readonly isTTY: boolean; readonly columns: number }) {
  let now = 0;
  const output: string[] = [];
  const write = (text: string | Uint8Array) => output.push(String(text)) > 0;
  const progress = progressLine({ ...stream, write }, () => now);
  return { progress, output, pass: (milliseconds: number) => (now += milliseconds) };
}

/** Returns the output for work of so many steps, each of which takes `each` milliseconds. */
function outputOf(isTTY: boolean, steps: number, each: number): string[] {
  const { progress, output, pass } = start({ isTTY, columns: 80 });
  for (let done = 1; done <= steps; done += 1) {
    pass(each);
    progress.show('Shifts:', done, steps);
  }
  progress.clear();
  return output;
}

describe('The progress line', () => {
  it('has counts on a terminal, and is erased at the end', () => {
    const lines = outputOf(true, 8, 1000);
    assert.equal(lines[0], '\r\u001b[2KShifts: 1 of 8');
    assert.equal(lines[3], '\r\u001b[2KShifts: 4 of 8');
    assert.equal(lines.at(-1), '\r\u001b[2K');
  });

  it('prints a note above itself, and is erased at the end', () => {
    const { progress, output } = start({ isTTY: true, columns: 80 });
    progress.show('Files:', 1, 1);
    progress.note('Something went wrong.');
    progress.clear();
    const line = 'Files: 1 of 1';
    const erase = '\r\u001b[2K';
    assert.equal(output.join(''), `${erase}${line}${erase}Something went wrong.\n${line}${erase}`);
  });

  it('is a plain line every five seconds if the output is not a terminal, and none for short work', () => {
    assert.deepEqual(outputOf(false, 12, 1000), ['Shifts: 5 of 12\n', 'Shifts: 10 of 12\n']);
    assert.deepEqual(outputOf(false, 100, 30), []);
  });
});
