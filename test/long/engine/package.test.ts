/** The package as a person uses it: packed, and with nothing but that file. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { fixture } from '../../build/exchange/imported.ts';
import { freePort } from '../../free-port.ts';
import { environment, repository, startCommand } from '../../gateway/started-process.ts';
import { waitUntil } from '../../wait-until.ts';

const folder = await temporaryFolder();
const bank = join(folder, 'my-bank');

/** npm takes packages from its cache without asking the registry again, and asks it for nothing else. */
const npmSettings = {
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_update_notifier: 'false',
};

/** Runs a command until it exits with 0. @returns what it printed */
async function run(cwd: string, command: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, ...environment(npmSettings) };
  return (await promisify(execFile)(command, args, { cwd, env, maxBuffer: 2 ** 26 })).stdout;
}

/** Runs a line as it is printed. */
const shell = (cwd: string, line: string) =>
  run(cwd, 'sh', '-c', line.replace(/^npx /, 'npx --yes '));

async function replace(name: string, from: string, to: string): Promise<void> {
  const file = join(bank, name);
  await writeFile(file, (await readFile(file, 'utf8')).replace(from, to));
}

/** The lines of the code blocks of a page in a language. */
async function blocksOf(page: string, language: string): Promise<string[]> {
  const blocks = (await readFile(page, 'utf8')).matchAll(
    new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'),
  );
  return Array.from(blocks, ([, lines = '']) => lines.trim().split('\n')).flat();
}

describe('The package', () => {
  it('has the compiled program and its types, and neither tests nor sources', async () => {
    // As in a clone, which packs itself into a bank.
    const first = join(await temporaryFolder(), 'first-bank');
    await run(repository, process.execPath, 'build/pastpaper.js', 'init', first);
    const { dependencies } = JSON.parse(await readFile(join(first, 'package.json'), 'utf8'));
    const file = dependencies.pastpaper.replace(/^file:/, '');
    await copyFile(join(first, file), join(folder, file));
    const listed = await run(folder, 'tar', '--list', '--gzip', '--file', file);
    const files = listed
      .trim()
      .replaceAll(/^package\//gm, '')
      .split('\n');
    const compiled = ['compiled/build.js', 'compiled/index.d.ts', 'compiled/pages/pull.js'];
    for (const file of [...compiled, 'docs/cdn.md', 'CHANGELOG.md', 'LICENSE'])
      assert.ok(files.includes(file), file);
    assert.deepEqual(
      files.filter((file) => /^test\/|(?<!\.d)\.ts$/.test(file)),
      [],
    );
  });

  it('alone leads, with the commands that are printed, from a new bank with own questions to its first response', async () => {
    const [file] = await readdir(folder);
    const create = `npx ./${file} init my-bank`;
    assert.ok((await readFile(join(repository, 'README.md'), 'utf8')).includes(`\`${create}\``));
    const [install = ''] = /npm install .*/.exec(await shell(folder, create)) ?? [];
    await shell(bank, install);
    assert.ok(existsSync(join(bank, 'package-lock.json')));
    for (const name of ['esbuild', 'tsx', 'typescript'])
      assert.ok(!existsSync(join(bank, 'node_modules', name)), name);
    const guide = join(bank, 'node_modules/pastpaper/docs/bring-your-questions.md');
    await writeFile(join(bank, 'questions.csv'), `${(await blocksOf(guide, 'csv')).join('\n')}\n`);
    await copyFile(fixture('course.xml'), join(bank, 'course.xml'));
    // Each line is a paragraph of its own, as it is typed in Word.
    const document = (await blocksOf(guide, 'text')).join('\n\n');
    await writeFile(join(bank, 'paper.html'), `<p>${document.replaceAll('\n\n', '</p><p>')}</p>`);
    await run(bank, 'pandoc', 'paper.html', '--output', 'paper.docx');
    for (const line of await blocksOf(guide, 'sh'))
      if (!line.endsWith(' gateway')) await shell(bank, line);
    const paper = join(bank, 'content/school/2026/2026-03-02-s1/science.json');
    const { $schema } = JSON.parse(await readFile(paper, 'utf8'));
    assert.ok(existsSync(join(paper, '..', $schema)), $schema);
    const [validate = '', build = '', gateway = '', createKey = '', request = '', ...rest] =
      await blocksOf(join(bank, 'README.md'), 'sh');
    assert.deepEqual(rest, []);
    assert.match(await shell(bank, validate), /: 0 errors, /);
    assert.match(await shell(bank, build), /^Published release /);
    const port = String(await freePort());
    // Without npx, which does not pass signals on.
    const started = startCommand(
      'sh',
      ['-c', gateway.replace('npx ', 'exec node_modules/.bin/')],
      { PORT: port },
      bank,
    );
    await started.waitForOutput(/ serves release /);
    const [key = ''] = (await shell(bank, createKey)).split('\n');
    const printed = request.replace('KEY', key).replace('8080', port);
    assert.match(await shell(bank, printed), /^\{"exam":"sample","year":2025,/);
    const own = printed.replace('sample/2025/s1', 'school/2026/2026-03-02-s1');
    assert.match(await shell(bank, own), /Which of these is a prime number\?/);
    assert.equal((await started.stop()).status, 0);
  });

  it('serves the bank with dev, and what is saved there', async () => {
    const dev = startCommand(
      join(bank, 'node_modules/.bin/pastpaper'),
      ['dev'],
      { PORT: '0' },
      bank,
    );
    const [, key = '', url = ''] = await dev.waitForOutput(/'Authorization: Bearer (\S+)' (\S+)/);
    const paper = async () =>
      (await fetch(url, { headers: { Authorization: `Bearer ${key}` } })).text();
    assert.match(await paper(), /"topic":"Numbers"/);
    await dev.waitForOutput(/Building on every save/);
    await replace('content/school/2026/2026-03-02-s1/science.json', '"Numbers"', '"Primes"');
    await dev.waitForOutput(/Published release[\s\S]*Published release/);
    await waitUntil(async () => (await paper()).includes('"topic":"Primes"'), 100);
    await replace('pastpaper.config.json', 'My question bank', 'Riverside Papers');
    const landing = join(bank, 'dist/current/public/docs/index.html');
    await waitUntil(
      async () => (await readFile(landing, 'utf8')).includes('Riverside Papers'),
      100,
    );
    assert.equal((await dev.stop()).status, 0);
  });

  it('exports functions and types for programs and browsers, whichever way TypeScript resolves modules', async () => {
    await copyFile(new URL('program.ts.txt', import.meta.url), join(bank, 'program.mts'));
    const tsc = join(repository, 'node_modules/typescript/bin/tsc');
    const options = ['--ignoreConfig', '--strict', '--target', 'es2022'];
    for (const modules of [['node16'], ['esnext', '--moduleResolution', 'bundler'], ['nodenext']])
      await run(bank, process.execPath, tsc, ...options, '--module', ...modules, 'program.mts');
    assert.equal(await run(bank, process.execPath, 'program.mjs'), '1 1 0 2 1\n');
    const readSchema =
      "import('pastpaper/schema/exam.schema.json', { with: { type: 'json' } }).then((schema) => console.log(typeof schema))";
    assert.equal(await run(bank, process.execPath, '-e', readSchema), 'object\n');
    // Throws if it imports a module of Node.js.
    await build({
      stdin: { contents: "import 'pastpaper'", resolveDir: bank },
      bundle: true,
      write: false,
    });
  });
});
