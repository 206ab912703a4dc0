/** What `pastpaper init` wrote is not published by accident. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { findUnedited } from '../../build/commands/unedited.ts';
import { readBank } from '../../build/release/bank.ts';
import { temporaryFolder } from './bank-folder.ts';
import { type Outcome, repository } from './command.ts';

const shift = '2025/2025-01-10-s1';

/** What init writes, without the package. */
async function newBank(): Promise<string> {
  const folder = join(await temporaryFolder(), 'bank');
  await cp(join(repository, 'build/starter'), folder, { recursive: true });
  return folder;
}

/** What is unedited in a bank. */
function uneditedIn(folder: string): Promise<string[]> {
  return findUnedited(readBank(join(folder, 'pastpaper.config.json')), join(folder, 'content'));
}

it('A build for production rejects each text that pastpaper init wrote; another build only reports them', async () => {
  const folder = await newBank();
  const build = (NODE_ENV: string) =>
    new Promise<Outcome>((resolve) => {
      const env = { ...process.env, CONTENT_DIR: '', DIST_DIR: '', DATA_DIR: '', NODE_ENV };
      const args = [join(repository, 'build/pastpaper.js'), 'build'];
      execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
        resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
  const rejected = await build('production');
  assert.equal(rejected.status, 1, rejected.stdout);
  const lines = rejected.stderr.trim().split('\n');
  const name =
    'the name "My question bank" and the tagline "Exam papers over a read-only HTTP API."';
  assert.equal(
    lines[0],
    `pastpaper.config.json still has ${name} that pastpaper init wrote. Edit it.`,
  );
  assert.deepEqual(
    lines.slice(1).map((line) => line.split(' still has ')[0]),
    [
      `content/sample/${shift}/mathematics.json`,
      `content/sample/${shift}/science.json`,
      'content/sample/exam.json',
      'Nothing was published.',
    ],
  );
  assert.ok(!existsSync(join(folder, 'dist')));
  const noted = await build('');
  assert.equal(noted.status, 0, noted.stderr);
  assert.deepEqual(
    noted.stderr.split('\n').slice(0, 4),
    lines.slice(0, 4).map((line) => `Note: ${line}`),
  );
});

it('Only what was not edited is reported, also if the exam has another name', async () => {
  const folder = await newBank();
  const change = async (file: string, from: string, to: string) =>
    writeFile(
      join(folder, file),
      (await readFile(join(folder, file), 'utf8')).replaceAll(from, to),
    );
  const content = join(folder, 'content');
  await change('pastpaper.config.json', 'My question bank', 'Riverside Papers');
  await change(
    'pastpaper.config.json',
    'Exam papers over a read-only HTTP API.',
    'Papers of Riverside School.',
  );
  await rename(join(content, 'sample'), join(content, 'riverside'));
  await change('content/riverside/exam.json', 'Sample Exam', 'Riverside');
  await rm(join(content, 'riverside', shift, 'science.json'));
  const paper = `content/riverside/${shift}/mathematics.json`;
  await change(paper, 'sample-2025', 'riverside-2025');
  await change(paper, 'A shop lowers', 'A market lowers');
  await change(paper, 'How long, in centimetres', 'How long, in millimetres');
  const left = `the question "riverside-2025-01-10-s1-mathematics-02"`;
  assert.deepEqual(await uneditedIn(folder), [
    `${join(folder, paper)} still has ${left} that pastpaper init wrote. Edit or remove it.`,
  ]);
  await change(paper, 'Which of these numbers are prime?', 'Which of these are prime numbers?');
  assert.deepEqual(await uneditedIn(folder), []);
});

it('The bank of this repository has nothing of pastpaper init', async () =>
  assert.deepEqual(await uneditedIn(repository), []));
