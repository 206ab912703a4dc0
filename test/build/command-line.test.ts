import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { usages } from '../../build/command-line/usage.js';
import {
  examPath,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
  temporaryFolder,
} from './bank-folder.ts';
import {
  assertNoStackTrace,
  type Outcome,
  repository,
  runCommand,
  runShell,
  spawnCommand,
} from './command.ts';
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
      /^Published release [0-9a-f]{16}: 1 question in 2 files, \d+ changed public URLs, in \d+\.\d s\.\n {2}Responses +\d+ created, 0 reused\n {2}Bytes +\d+\.\d\d MB, compressed \d+\.\d\d MB\n {2}Seconds +find \d.*\n {2}Slowest +neet\/2024\/2024-05-05-s1 \d+\.\d+\n {2}Samples +not in the content: neet\/2023\/2023-05-07-s1\/physics\. Correct "samples" in pastpaper\.config\.json\.\n$/,
    );
    assert.ok(stdout.includes(`release ${release}:`));
    assert.equal(stderr, '');
  });

  it('is returned by a build with warnings, which publishes and reports them', async () => {
    const bank = await makeBank({ [`${shiftPath}/diagrams/q9.png`]: png(2, 2) });
    const { status, stdout, stderr } = await runBuild(bank.dir);
    assert.equal(status, 0);
    assert.match(stdout, /^Published release /);
    assert.match(stderr, /q9\.png:1:1 warning unused-diagram\n/);
    assert.match(stderr, /1 question in 2 files: 0 errors, 1 warning\.\n$/);
  });

  it('is returned by validate for valid content, which prints counts and publishes nothing', async () => {
    const { dir } = await makeBank();
    const dist = join(await temporaryFolder(), 'dist');
    const outcome = await runCommand(['validate', '--format', 'text'], { CONTENT_DIR: dir, DIST_DIR: dist });
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
    assert.deepEqual(none, { status: 0, stdout: '30 questions in 2 files: 0 errors, 0 warnings.\n' });
    const unfiltered = await only();
    assert.match(unfiltered.stdout, /answer-among-options {2}31 errors, 11 of them not shown\n/);
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
    assert.match(stderr, /1 question in 2 files: 3 errors, 0 warnings\.\nNothing was published\.\n$/);
    assert.equal(existsSync(dist), false);
  });

  it('is returned for an empty content folder', async () => {
    const outcome = await runBuild(await temporaryFolder());
    assert.equal(outcome.status, 1);
    assert.match(outcome.stderr, /The content folder has no exam/);
    assertNoStackTrace(outcome);
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
  const misuses: readonly [string, readonly string[], RegExp][] = [
    ['an unknown option of build', ['build', '--force'], /^Unknown option "--force"\.\n/],
    [
      'an unknown option of validate',
      ['validate', '--fromat', 'json'],
      /^Unknown option "--fromat"\. Did you mean "--format"\?\n/,
    ],
    [
      'an unknown format',
      ['validate', '--format', 'xml'],
      /^Unknown format "xml"\. Available formats: text, github, sarif, junit, json\.\n/,
    ],
    ['an empty format', ['validate', '--format='], /^Unknown format ""\. Available formats: /],
    ['a missing format', ['validate', '--format'], /^Option '--format <value>' argument missing\.\n/],
    [
      'a format named like a property of Object.prototype',
      ['validate', '--format=constructor'],
      /^Unknown format "constructor"\. /,
    ],
    ['an unexpected argument', ['validate', 'content'], /^Unexpected argument "content"\.\n/],
    ['an unknown rule', ['validate', '--explain', 'spelling'], /^Unknown rule "spelling"\. /],
    [
      'a misspelt rule to filter by',
      ['validate', '--rule', 'schema', '--rule', 'formulas'],
      /^Unknown rule "formulas"\. Did you mean "formula"\?\n/,
    ],
    [
      'a correction that does not exist',
      ['validate', '--fix=all'],
      /^Write --fix or --fix=layout, not --fix=all\.\n/,
    ],
    ['a diff without a ref', ['diff'], /^Missing argument: REF\.\n/],
    ['a diff with two refs', ['diff', 'HEAD', 'HEAD~1'], /^Unexpected argument "HEAD~1"\.\n/],
    [
      'a diff as JSON',
      ['diff', 'HEAD', '--format=json'],
      /^Unknown format "json"\. Available formats: text, markdown\.\n/,
    ],
  ];
  for (const [sentence, args, message] of misuses) {
    it(`${sentence}: ${args.join(' ')}`, async () => {
      const { dir } = await makeBank();
      const outcome = await runCommand(args, { CONTENT_DIR: dir, DIST_DIR: join(dir, '..', 'never') });
      assert.equal(outcome.status, 2);
      assert.equal(outcome.stdout, '');
      assert.match(outcome.stderr, message);
      assert.match(outcome.stderr, /\n\nUsage: /);
      assertNoStackTrace(outcome);
    });
  }

  it('no command, and an unknown command', async () => {
    for (const [args, message] of [
      [[], /^Missing command\.\n\nUsage: /],
      [['publish'], /^Unknown command "publish"\.\n\nUsage: /],
      [['biuld'], /^Unknown command "biuld"\. Did you mean "build"\?\n/],
      [['--verison'], /^Unknown option "--verison"\. Did you mean "--version"\?\n/],
      [['doctor', '--jsn'], /^Unknown option "--jsn"\. Did you mean "--json"\?\n/],
      [['gateway', 'now'], /^Unexpected argument "now"\.\n\nUsage: /],
    ] as const) {
      const outcome = await spawnCommand(args);
      assert.equal(outcome.status, 2);
      assert.equal(outcome.stdout, '');
      assert.match(outcome.stderr, message);
    }
  });

  for (const command of ['build', 'validate']) {
    it(`${command} without a content folder`, async () => {
      const folder = join(await temporaryFolder(), 'none');
      const settings = { CONTENT_DIR: folder, DIST_DIR: join(folder, 'dist') };
      const outcome = await runCommand([command], settings);
      assert.deepEqual(outcome, {
        status: 2,
        stdout: '',
        stderr: `The content folder ${folder} does not exist. Set CONTENT_DIR to your content folder.\n`,
      });
    });
  }

  it('a content folder that is a file', async () => {
    const file = join(await temporaryFolder(), 'content');
    await writeFile(file, '');
    const outcome = await runCommand(['validate'], { CONTENT_DIR: file });
    assert.equal(outcome.status, 2);
    assert.match(
      outcome.stderr,
      /^The content folder .* does not exist\. Set CONTENT_DIR to your content folder\.\n$/,
    );
  });

  it('a DIST_DIR below a file', async () => {
    const { dir } = await makeBank();
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    for (const dist of [file, join(file, 'a', 'b')]) {
      const outcome = await runCommand(['build'], { CONTENT_DIR: dir, DIST_DIR: dist });
      assert.equal(outcome.status, 2, dist);
      assert.equal(outcome.stdout, '');
      assert.match(outcome.stderr, /^The file system rejected mkdir of .*\/file.* \((ENOTDIR|EEXIST)\)\.\n$/);
      assertNoStackTrace(outcome);
    }
  });

  it('a DIST_DIR under /proc', { skip: !existsSync('/proc/self') && 'there is no /proc here' }, async () => {
    const { dir } = await makeBank();
    for (const dist of ['/proc/pastpaper/a', '/proc/self/dist']) {
      const outcome = await runCommand(['build'], { CONTENT_DIR: dir, DIST_DIR: dist });
      assert.equal(outcome.status, 2, dist);
      assert.match(outcome.stderr, /^The file system rejected mkdir of \/proc\/.* \([A-Z]+\)\.\n$/);
      assertNoStackTrace(outcome);
    }
  });
});

describe('No stack trace is printed', concurrent, () => {
  const edges: readonly [string, string, string][] = [
    // RFC 3339, 5.6 allows it, and so does the schema's format.
    ['a leap second', '/lastUpdated', '2016-12-31T23:59:60Z'],
    // JSON can express it, UTF-8 cannot, and RFC 8785, 3.2.2.2 rejects it.
    ['a lone surrogate', '/questions/0/question', 'Why \ud800?'],
  ];
  for (const [sentence, pointer, value] of edges) {
    it(`for content with ${sentence}, which the schema allows`, async () => {
      const bank = await makeBank();
      await bank.set(paperPath, pointer, value);
      const outcome = await runBuild(bank.dir);
      assertNoStackTrace(outcome);
      assert.ok(outcome.status === 0 || outcome.status === 1, String(outcome.status));
    });
  }

  it('when the reader of the report closes the pipe', async () => {
    const notes = Array.from({ length: 400 }, (_, index) => [`neet/note-${index}.txt`, '']);
    const { dir } = await makeBank(Object.fromEntries(notes));
    const outcome = await runShell(`"$0" build/pastpaper.js validate | head -n 1`, {
      CONTENT_DIR: dir,
    });
    assert.match(outcome.stdout, /error stray-file\n$/);
    assertNoStackTrace(outcome);
  });
});

describe('--help', () => {
  it('prints the usage of each command, and an overview of all', async () => {
    const commands = Object.keys(usages);
    for (const command of commands) {
      const { status, stdout, stderr } = await spawnCommand([command, '--help']);
      assert.deepEqual([status, stderr], [0, ''], command);
      assert.match(stdout, new RegExp(`^Usage:\\s+(API_KEY=\\S+ )?pastpaper ${command}\\b`));
    }
    const { status, stdout } = await spawnCommand(['--help']);
    assert.equal(status, 0);
    for (const command of commands) assert.ok(stdout.includes(command), command);
  });
});

describe('CONTENT_DIR', () => {
  it('may be relative to the working directory', async () => {
    const { dir } = await makeBank();
    const outcome = await runCommand(['validate'], { CONTENT_DIR: relative(repository, dir) });
    assert.equal(outcome.status, 0, outcome.stderr);
  });

  it('defaults to content if it is not set or empty', async () => {
    const settings = [{}, { CONTENT_DIR: '' }, { CONTENT_DIR: 'content' }];
    const outcomes = await Promise.all(settings.map((each) => runCommand(['validate'], each)));
    const [unset, empty, named] = outcomes.map(({ stdout }) => stdout);
    assert.deepEqual([unset, empty], [named, named]);
    assert.match(named ?? '', /^\d{2,} questions in \d+ files: 0 errors, 0 warnings\.\n$/);
  });
});
