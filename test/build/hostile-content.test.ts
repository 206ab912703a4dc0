import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, open, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import {
  type BankFolder,
  examPath,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
} from './bank-folder.ts';
import { assertNoStackTrace, type Outcome, runCommand, runUnprivileged } from './command.ts';
import { png } from './image-bytes.ts';
import { validateFolder } from './validate-folder.ts';

const run = promisify(execFile);
const { mcq } = sampleQuestions;
const chemistry = `${shiftPath}/chemistry.json`;

/** Validates a bank. Returns rule, file and pointer of each diagnostic. */
async function problemsOf({ dir }: BankFolder): Promise<string[]> {
  const { diagnostics } = (await validateFolder(dir)).report;
  return diagnostics.map(({ rule, file, pointer }) => `${rule} ${file}${pointer && `#${pointer}`}`);
}

function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`;
}

describe('A hostile file has few diagnostics:', () => {
  it('a file of 100 MB', async () => {
    const bank = await makeBank();
    const file = await open(join(bank.dir, paperPath), 'r+');
    await file.truncate(100 * 1024 * 1024);
    await file.close();
    assert.deepEqual(await problemsOf(bank), [`readable-file ${paperPath}`]);
  });

  for (const depth of [10_000, 100_000]) {
    it(`${depth} nested arrays`, async () => {
      assert.deepEqual(await problemsOf(await makeBank({ [paperPath]: nested(depth) })), [
        `schema ${paperPath}`,
      ]);
    });

    for (const name of ['id', 'type', 'options', 'answer', 'difficulty', 'accepted', 'diagrams', 'dropped']) {
      it(`${depth} nested arrays as ${name}`, async () => {
        const text = JSON.stringify(paperOf({ ...mcq, [name]: 0 }));
        const bank = await makeBank({
          [paperPath]: text.replace(`"${name}":0`, `"${name}":${nested(depth)}`),
        });
        const [first, ...others] = await problemsOf(bank);
        assert.match(first ?? '', new RegExp(`^schema ${paperPath}#/questions/0/${name}`));
        assert.deepEqual(others, []);
      });
    }
  }

  it('nested arrays that are compared with each other', async () => {
    const deep = nested(50_000);
    const text = JSON.stringify(paperOf({ ...mcq, accepted: ['x'] })).replace('["x"]', `[${deep},${deep}]`);
    assert.deepEqual(await problemsOf(await makeBank({ [paperPath]: text })), [
      `schema ${paperPath}#/questions/0/accepted/0`,
      `schema ${paperPath}#/questions/0/accepted/1`,
    ]);
  });

  it('millions of values', async () => {
    const numbers = `[1${',1'.repeat(2_000_000)}]`;
    const bank = await makeBank({ [paperPath]: numbers, [chemistry]: `{"questions":${numbers}}` });
    assert.deepEqual(await problemsOf(bank), [`schema ${chemistry}`, `schema ${paperPath}`]);
  });

  for (const json of [
    '{"toString":null}',
    '{"toJSON":1}',
    '{"__proto__":{"x":1}}',
    '{"constructor":0,"length":9}',
  ]) {
    it(`the difficulty ${json}`, async () => {
      const text = JSON.stringify(paperOf(mcq)).replace('"easy"', json);
      assert.deepEqual(await problemsOf(await makeBank({ [paperPath]: text })), [
        `schema ${paperPath}#/questions/0/difficulty`,
      ]);
    });
  }

  it('a property name of a megabyte', async () => {
    const bank = await makeBank();
    await bank.set(paperPath, `/questions/0/${'difficultx'.repeat(100_000)}`, 1);
    const { diagnostics } = (await validateFolder(bank.dir)).report;
    assert.deepEqual(
      diagnostics.map(({ rule, message }) => [rule, message.length < 300]),
      [['schema', true]],
    );
  });

  it('an error in every character, of which the first thousand are reported', async () => {
    const question = '\u0007 '.repeat(100_000);
    const bank = await makeBank({ [paperPath]: paperOf({ ...mcq, question }) });
    const { diagnostics } = (await validateFolder(bank.dir)).report;
    assert.equal(diagnostics.length, 1000);
    assert.match(
      diagnostics.at(-1)?.message ?? '',
      /More problems of this rule in this file are not listed\.$/,
    );
  });

  const texts: readonly [string, string][] = [
    ['dollars', '$'.repeat(200_001)],
    ['dollars and spaces', '$ '.repeat(100_001)],
    ['LaTeX delimiters', '\\('.repeat(100_000)],
    ['backslashes', '\\'.repeat(200_000)],
    ['starts of comments', '<!--'.repeat(100_000)],
    ['starts of tags', '<b a="'.repeat(100_000)],
    ['tags', '<b>'.repeat(50_000)],
    ['ampersands', '&amp;'.repeat(50_000)],
    ['an ampersand that is encoded many times', `&${'amp;'.repeat(50_000)}`],
    ['attributes', `<b${' a=b'.repeat(200_000)}>`],
    ['accents', `e${'\u0301'.repeat(100_000)}`],
    ['joiners', 'a\u200d'.repeat(50_000)],
    ['misread characters', 'Ã©'.repeat(100_000)],
    ['unclosed \\text in formulas', `$${'\\text{’'.repeat(50_000)}$`],
    ['spaces', `${' '.repeat(300_000)}x`],
  ];
  for (const [sentence, question] of texts) {
    it(`a long text of ${sentence}`, async () => {
      const diagnostics = await problemsOf(await makeBank({ [paperPath]: paperOf({ ...mcq, question }) }));
      assert.ok(diagnostics.length <= 4000, String(diagnostics.length));
      for (const diagnostic of diagnostics) assert.match(diagnostic, /#\/questions\/0\/question$/);
    });
  }
});

describe('A path that is not a regular file has one diagnostic:', () => {
  const places: readonly [string, string][] = [
    ['a paper', chemistry],
    ['the exam file', examPath],
    ['the list of exceptions', 'exceptions.json'],
    ['a diagram', `${shiftPath}/diagrams/q1.png`],
  ];
  for (const [sentence, path] of places) {
    /** A bank without a file at the path. If the path is a diagram, the question names it. */
    const bankWithout = async () => {
      const diagrams = [{ file: 'q1.png', alt: 'A ruler.' }];
      const question = path.endsWith('.png') ? { ...mcq, diagrams } : mcq;
      const bank = await makeBank({ [paperPath]: paperOf(question) });
      if (path === examPath) await bank.remove(path);
      await mkdir(dirname(join(bank.dir, path)), { recursive: true });
      return bank;
    };
    const expected = [`stray-file ${path}`];

    it(`an empty folder named like ${sentence}`, async () => {
      const bank = await bankWithout();
      await mkdir(join(bank.dir, path));
      assert.deepEqual(await problemsOf(bank), expected);
    });

    it(`a folder with files named like ${sentence}`, async () => {
      const bank = await bankWithout();
      await bank.write(`${path}/a.json`, '{}');
      await bank.write(`${path}/b/c.txt`, 'x');
      assert.deepEqual(await problemsOf(bank), expected);
    });

    for (const [kind, target] of [
      ['out of the bank', '/etc/hostname'],
      ['to nothing', 'nowhere'],
      ['to itself', ''],
      ['to a folder', '.'],
    ] as const) {
      it(`a symbolic link ${kind} named like ${sentence}`, async () => {
        const bank = await bankWithout();
        await symlink(target === '' ? join(bank.dir, path) : target, join(bank.dir, path));
        assert.deepEqual(await problemsOf(bank), expected);
      });
    }

    it(`a named pipe named like ${sentence}, which is not opened`, async () => {
      const bank = await bankWithout();
      await run('mkfifo', [join(bank.dir, path)]);
      assert.deepEqual(await problemsOf(bank), expected);
    });

    it(`a socket named like ${sentence}`, async () => {
      const bank = await bankWithout();
      // The path of a socket must be short, so the socket is created in the root of the bank and moved.
      const socket = join(bank.dir, '.s');
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(socket, resolve));
      await rename(socket, join(bank.dir, path));
      try {
        assert.deepEqual(await problemsOf(bank), expected);
      } finally {
        await new Promise((resolve) => server.close(resolve));
        await unlink(join(bank.dir, path)).catch(() => undefined);
      }
    });
  }

  it('a symbolic link in place of a year', async () => {
    const other = await makeBank();
    const bank = await makeBank();
    await symlink(join(other.dir, 'neet/2024'), join(bank.dir, 'neet/2025'));
    await symlink(bank.dir, join(bank.dir, 'neet/2026'));
    assert.deepEqual(await problemsOf(bank), ['stray-file neet/2025', 'stray-file neet/2026']);
  });

  it('a symbolic link in place of the diagrams folder', async () => {
    const other = await makeBank({ [`${shiftPath}/diagrams/q1.png`]: png(2, 2) });
    const drawn = { ...mcq, diagrams: [{ file: 'q1.png', alt: 'A ruler.' }] };
    const bank = await makeBank({ [paperPath]: paperOf(drawn) });
    await symlink(join(other.dir, shiftPath, 'diagrams'), join(bank.dir, shiftPath, 'diagrams'));
    assert.deepEqual(await problemsOf(bank), [`stray-file ${shiftPath}/diagrams`]);
  });
});

describe('A file name with control characters or invalid UTF-8', () => {
  for (const path of [
    `${shiftPath}/che\nmistry.json`,
    'neet/20\r25/2025-05-04-s1/physics.json',
    'a\u001b[2J.txt',
  ]) {
    it(`has one diagnostic: ${JSON.stringify(path)}`, async () => {
      const bank = await makeBank();
      await bank.write(path, '{}');
      const [first, ...others] = await problemsOf(bank);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the name has control characters
      assert.match(first ?? '', /^stray-file .*[\u0000-\u001f]/s);
      assert.deepEqual(others, []);
    });
  }

  it('is printed without its control characters', async () => {
    const bank = await makeBank();
    await bank.write('a\u001b[2J\n.txt', '');
    const { stdout } = await runCommand(['validate'], { CONTENT_DIR: bank.dir });
    assert.ok(!stdout.includes('\u001b'), stdout);
  });

  it('has one diagnostic if it is invalid UTF-8', async () => {
    const bank = await makeBank();
    await writeFile(Buffer.from(`${bank.dir}/neet/\xff\xfe.txt`, 'latin1'), '');
    const [first, ...others] = await problemsOf(bank);
    assert.match(first ?? '', /^stray-file neet\//);
    assert.deepEqual(others, []);
  });
});

describe('A path without read permission has one diagnostic:', () => {
  async function problemsUnprivileged({ dir }: BankFolder): Promise<[rule: string, file: string][]> {
    const outcome: Outcome = await runUnprivileged(['validate', '--format', 'json'], { CONTENT_DIR: dir });
    assert.equal(outcome.status, 1, outcome.stderr);
    assertNoStackTrace(outcome);
    const { diagnostics } = JSON.parse(outcome.stdout);
    return diagnostics.map(({ rule, file }: { rule: string; file: string }) => [rule, file]);
  }

  const files: readonly [string, string, string][] = [
    ['a paper', paperPath, 'readable-file'],
    ['the exam file', examPath, 'readable-file'],
    ['a shift', shiftPath, 'readable-folder'],
    ['a year', 'neet/2024', 'readable-folder'],
    ['an exam', 'neet', 'readable-folder'],
    ['a diagrams folder', `${shiftPath}/diagrams`, 'readable-folder'],
  ];
  for (const [sentence, path, rule] of files) {
    it(sentence, async () => {
      const drawn = { ...mcq, diagrams: [{ file: 'q1.png', alt: 'A ruler.' }] };
      const bank = await makeBank({
        [paperPath]: paperOf(drawn),
        [`${shiftPath}/diagrams/q1.png`]: png(2, 2),
      });
      await chmod(join(bank.dir, path), 0);
      try {
        assert.deepEqual(await problemsUnprivileged(bank), [[rule, path]]);
      } finally {
        await chmod(join(bank.dir, path), 0o755);
      }
    });
  }

  it('a diagram, reported at the question that names it', async () => {
    const drawn = { ...mcq, diagrams: [{ file: 'q1.png', alt: 'A ruler.' }] };
    const bank = await makeBank({
      [paperPath]: paperOf(drawn),
      [`${shiftPath}/diagrams/q1.png`]: png(2, 2),
    });
    await chmod(join(bank.dir, shiftPath, 'diagrams/q1.png'), 0);
    assert.deepEqual(await problemsUnprivileged(bank), [['diagram-image', paperPath]]);
  });
});

describe('A bank with many hostile files', () => {
  it('is validated completely, without a stack trace', async () => {
    const bank = await makeBank({
      [chemistry]: nested(10_000),
      [`${shiftPath}/history.json/a.txt`]: '',
      'neet/a\nb.json': '',
    });
    await symlink('/etc', join(bank.dir, 'etc'));
    await run('mkfifo', [join(bank.dir, 'neet/pipe')]);
    const file = await open(join(bank.dir, `${shiftPath}/biology.json`), 'w');
    await file.truncate(100 * 1024 * 1024);
    await file.close();
    const outcome = await runCommand(['validate', '--format', 'json'], { CONTENT_DIR: bank.dir });
    assertNoStackTrace(outcome);
    assert.equal(outcome.status, 1);
    assert.equal(outcome.stderr, '');
    const { diagnostics } = JSON.parse(outcome.stdout);
    assert.deepEqual(
      diagnostics.map(({ rule, file: path }: { rule: string; file: string }) => [rule, path]).sort(),
      [
        ['readable-file', `${shiftPath}/biology.json`],
        ['schema', chemistry],
        ['stray-file', `${shiftPath}/history.json`],
        ['stray-file', 'etc'],
        ['stray-file', 'neet/a\nb.json'],
        ['stray-file', 'neet/pipe'],
      ].sort(),
    );
  });
});
