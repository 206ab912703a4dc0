/** Validation of hostile content returns few diagnostics. The fuzzer of content tests that each has a place. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Diagnostic } from '../../build/check/diagnostic.ts';
import {
  type BankFolder,
  examPath,
  type Files,
  makeBank,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
  shiftPath,
} from './bank-folder.ts';
import { assertNoStackTrace, runCommand, runUnprivileged } from './command.ts';
import { png } from './image-bytes.ts';
import { validateFolder } from './validate-folder.ts';

const run = promisify(execFile);
const { mcq } = sampleQuestions;
const drawn = { ...mcq, diagrams: [{ file: 'q1.png', alt: 'A ruler.' }] };

async function diagnosticsOf({ dir }: BankFolder): Promise<readonly Diagnostic[]> {
  return (await validateFolder(dir)).report.diagnostics;
}

/** Validates a bank. Returns rule, file and pointer of each diagnostic. */
async function problemsOf(bank: BankFolder): Promise<string[]> {
  return (await diagnosticsOf(bank)).map(
    ({ rule, file, pointer }) => `${rule} ${file}${pointer && `#${pointer}`}`,
  );
}

function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`;
}

describe('A hostile file has few diagnostics:', () => {
  it('100,000 nested arrays', async () => {
    const bank = await makeBank({ [paperPath]: nested(100_000) });
    assert.deepEqual(await problemsOf(bank), [`schema ${paperPath}`]);
  });

  it('a property name of a megabyte', async () => {
    const bank = await makeBank();
    await bank.set(paperPath, `/questions/0/${'difficultx'.repeat(100_000)}`, 1);
    assert.deepEqual(
      (await diagnosticsOf(bank)).map(({ rule, message }) => [rule, message.length < 300]),
      [['schema', true]],
    );
  });

  it('an error in every character, of which the first thousand are reported', async () => {
    const question = '\u0007 '.repeat(10_000);
    const diagnostics = await diagnosticsOf(
      await makeBank({ [paperPath]: paperOf({ ...mcq, question }) }),
    );
    assert.equal(diagnostics.length, 1000);
    const last = diagnostics.at(-1)?.message ?? '';
    assert.match(last, /More problems of this rule in this file are not listed\.$/);
  });
});

describe('What is not a regular file has one diagnostic, as a paper, exam, list of exceptions or diagram:', () => {
  const places = [
    'exceptions.json',
    `${shiftPath}/biology.json`,
    `${shiftPath}/diagrams/q1.png`,
    examPath,
  ];
  const kinds: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    'a folder with files': async (path) => {
      await mkdir(join(path, 'b'), { recursive: true });
      await writeFile(join(path, 'a.json'), '{}');
      await writeFile(join(path, 'b/c.txt'), 'x');
    },
    'a symbolic link out of the bank': (path) => symlink('/etc/hostname', path),
    'a symbolic link to a folder': (path) => symlink('.', path),
    'a named pipe, which is not opened': (path) => run('mkfifo', [path]),
  };
  async function bankWithout(): Promise<BankFolder> {
    const bank = await makeBank({
      [paperPath]: paperOf(drawn),
      [`${shiftPath}/diagrams/.hidden`]: '',
    });
    await bank.remove(examPath);
    return bank;
  }
  const expected = places.map((path) => `stray-file ${path}`).sort();

  for (const [kind, make] of Object.entries(kinds)) {
    it(kind, async () => {
      const bank = await bankWithout();
      for (const path of places) await make(join(bank.dir, path));
      assert.deepEqual(await problemsOf(bank), expected);
    });
  }

  it('a symbolic link in place of a year, and of the folder of diagrams', async () => {
    const other = await makeBank({ [`${shiftPath}/diagrams/q1.png`]: png(2, 2) });
    const bank = await makeBank({ [paperPath]: paperOf(drawn) });
    await symlink(join(other.dir, 'neet/2024'), join(bank.dir, 'neet/2025'));
    await symlink(bank.dir, join(bank.dir, 'neet/2026'));
    await symlink(join(other.dir, shiftPath, 'diagrams'), join(bank.dir, shiftPath, 'diagrams'));
    assert.deepEqual(
      await problemsOf(bank),
      [`${shiftPath}/diagrams`, 'neet/2025', 'neet/2026'].map((path) => `stray-file ${path}`),
    );
  });
});

describe('A file name with control characters or invalid UTF-8', () => {
  const names = [`${shiftPath}/che\nmistry.json`, 'a\u001b[2J\n.txt', 'neet/20\r25'];

  it('has one diagnostic', async () => {
    const bank = await makeBank({
      [names[0] ?? '']: '{}',
      [names[1] ?? '']: '{}',
      [`${names[2]}/2025-05-04-s1/physics.json`]: '{}',
    });
    await writeFile(Buffer.from(`${bank.dir}/neet/\xff\xfe.txt`, 'latin1'), '');
    const [invalid, ...others] = (await problemsOf(bank)).sort().reverse();
    assert.match(invalid ?? '', /^stray-file neet\/\ufffd/);
    assert.deepEqual(others.sort(), names.map((name) => `stray-file ${name}`).sort());
  });

  it('is printed without its control characters', async () => {
    const { dir } = await makeBank({ [names[1] ?? '']: '' });
    const { stdout } = await runCommand(['validate'], { CONTENT_DIR: dir });
    assert.ok(!stdout.includes('\u001b'), stdout);
  });
});

it('Each unreadable file and folder has one diagnostic, a diagram at the question that names it', async () => {
  const shiftOf = (exam: string) => `${exam}/2024/2024-05-05-s1`;
  const unreadable = {
    paper: `${shiftOf('paper')}/physics.json`,
    exam: 'exam/exam.json',
    shift: shiftOf('shift'),
    year: 'year/2024',
    folder: 'folder',
    diagrams: `${shiftOf('diagrams')}/diagrams`,
    diagram: `${shiftOf('diagram')}/diagrams/q1.png`,
  };
  const banks = Object.keys(unreadable).map((exam, index): Files => {
    const paper = paperOf({ ...drawn, id: `q1-${index}`, question: `What is ${index}?` });
    return {
      [`${exam}/exam.json`]: sampleExam,
      [`${shiftOf(exam)}/physics.json`]: JSON.stringify(paper).replace(
        '"q1.png"',
        `"q1-${index}.png"`,
      ),
      [`${shiftOf(exam)}/diagrams/q1-${index}.png`]: png(2, 2),
    };
  });
  const bank = await makeBank(Object.assign({}, ...banks));
  const paths = Object.values(unreadable).map((path) =>
    join(bank.dir, path.replace('q1.png', 'q1-6.png')),
  );
  for (const path of paths) await chmod(path, 0);
  try {
    const outcome = await runUnprivileged(['validate', '--format', 'json'], {
      CONTENT_DIR: bank.dir,
    });
    assert.equal(outcome.status, 1, outcome.stderr);
    assertNoStackTrace(outcome);
    const { diagnostics }: { diagnostics: readonly Diagnostic[] } = JSON.parse(outcome.stdout);
    assert.deepEqual(diagnostics.map(({ rule, file }) => `${rule} ${file}`).sort(), [
      `diagram-image ${shiftOf('diagram')}/physics.json`,
      `readable-file ${unreadable.exam}`,
      `readable-file ${unreadable.paper}`,
      `readable-folder ${unreadable.diagrams}`,
      `readable-folder ${unreadable.folder}`,
      `readable-folder ${unreadable.shift}`,
      `readable-folder ${unreadable.year}`,
    ]);
  } finally {
    for (const path of paths) await chmod(path, 0o755);
  }
});
