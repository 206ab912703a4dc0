/** The package as a person uses it: packed, installed in an empty folder, and started with a new bank. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { environment, repository, startCommand } from '../../gateway/started-process.ts';
import { inMountNamespace, noMounts } from '../../mount-namespace.ts';
import { waitUntil } from '../../wait-until.ts';

const install = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'] as const;
const folder = await temporaryFolder();
const bank = join(folder, 'my-bank');

/** Runs a command until it exits with 0. @returns what it printed */
async function run(cwd: string, command: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, ...environment({}) };
  return (await promisify(execFile)(command, args, { cwd, env, maxBuffer: 2 ** 26 })).stdout;
}

/** Starts a command that serves, without npx, which does not pass signals on. @returns the output with the two requests */
async function serve(command: string) {
  const started = startCommand(join(bank, 'node_modules/.bin/pastpaper'), [command], { PORT: '0' }, bank);
  const [output] = await started.waitForOutput(/[\s\S]* {2}curl -H [\s\S]*/);
  const [, key = '', url = ''] = /'Authorization: Bearer (\S+)' (\S+)/.exec(output) ?? assert.fail(output);
  const headers = { Authorization: `Bearer ${key}` };
  return { ...started, get: async () => fetch(url, { headers }) };
}

describe('The package', () => {
  it('has the compiled program, its source maps and types, and neither tests nor sources', async () => {
    const [packed] = JSON.parse(await run(repository, 'npm', 'pack', '--json', '--pack-destination', folder));
    const files: string[] = packed.files.map(({ path }: { path: string }) => path);
    const compiled = ['compiled/build.js', 'compiled/build.js.map', 'compiled/index.d.ts'];
    for (const file of [...compiled, 'docs/settings.md', 'LICENSE']) assert.ok(files.includes(file), file);
    assert.deepEqual(
      files.filter((file) => /^test\/|(?<!\.d)\.ts$/.test(file)),
      [],
    );
    await run(folder, 'npm', ...install, packed.filename);
    for (const name of ['esbuild', 'tsx', 'typescript'])
      assert.ok(!existsSync(join(folder, 'node_modules', name)), name);
  });

  it('creates a bank that needs nothing else', async () => {
    assert.match(await run(folder, 'npx', 'pastpaper', 'init', 'my-bank'), /cd my-bank\n {2}npm install/);
    await run(bank, 'npm', ...install);
    assert.equal(await run(bank, 'npx', 'pastpaper', 'validate'), '6 questions in 3 files: 0 errors, 0 warnings.\n');
  });

  it('creates papers that name the schemas of the package', async () => {
    await run(bank, 'npx', 'pastpaper', 'new', 'paper', 'sample/2025/2025-01-10-s2/science');
    const file = join(bank, 'content/sample/2025/2025-01-10-s2/science.json');
    const { $schema } = JSON.parse(await readFile(file, 'utf8'));
    assert.ok(existsSync(join(file, '..', $schema)), $schema);
    await rm(join(file, '..'), { recursive: true });
  });

  it('serves the bank with dev, and what is saved there', async () => {
    const dev = await serve('dev');
    const paper = async () => (await dev.get()).text();
    assert.match(await paper(), /"topic":"Motion"/);
    await dev.waitForOutput(/Building on every save/);
    const file = join(bank, 'content/sample/2025/2025-01-10-s1/science.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"Motion"', '"Speed"'));
    await dev.waitForOutput(/Published release[\s\S]*Published release/);
    await waitUntil(async () => (await paper()).includes('"topic":"Speed"'), 100);
    const config = join(bank, 'pastpaper.config.json');
    await writeFile(config, (await readFile(config, 'utf8')).replace('My question bank', 'Riverside Papers'));
    await dev.waitForOutput(/(?:Published release[\s\S]*){3}/);
    const landing = join(bank, 'dist/current/public/docs/index.html');
    assert.match(await readFile(landing, 'utf8'), /Riverside Papers/);
    assert.equal((await dev.stop()).status, 0);
  });

  it('serves the bank as a systemd unit, which can write only to its data, and backs it up', async () => {
    await run(bank, 'npx', 'pastpaper', 'build');
    const files = join(bank, 'node_modules/pastpaper/docs/operations');
    const unit = await readFile(join(files, 'bank.service'), 'utf8');
    const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? assert.fail(name);
    const lines = (await readFile(join(files, 'bank.env'), 'utf8')).matchAll(/^(\w+)=(.*)$/gm);
    const settings = Object.fromEntries(Array.from(lines, ([, name, value]) => [name, value]));
    const writable = settingOf('ReadWritePaths').replace(settingOf('WorkingDirectory'), bank);
    const mount =
      'mount --bind "$1" "$1"; mount --rbind "$0" "$0"; mount -o remount,bind,ro "$0"; cd "$0"; shift; exec "$@"';
    const sandbox = noMounts ? [] : [...inMountNamespace, 'sh', '-ec', mount, bank, writable];
    const command = settingOf('ExecStart').replace('/usr/bin/node', process.execPath).split(' ');
    const [program = '', ...args] = [...sandbox, ...command];
    const gateway = startCommand(program, args, { ...settings, PORT: '0', ADMIN_PORT: '0' }, bank);
    const [, url = ''] = await gateway.waitForOutput(/Bearer <API_KEY>' (\S+)/);
    const printed = await run(bank, 'npx', 'pastpaper', 'keys', 'create', '--account', 'first-customer');
    const headers = { Authorization: `Bearer ${printed.split('\n')[0]}` };
    assert.equal((await fetch(url, { headers })).status, 200);
    await run(bank, 'sh', join(files, 'backup.sh'), folder);
    assert.equal((await readdir(folder)).filter((name) => /^pastpaper-.*Z\.db$/.test(name)).length, 1);
    assert.equal((await gateway.stop('SIGTERM')).status, 0);
  });

  it('exports the scorer, the types of the API, and the schemas of the content', async () => {
    const program = `
      import { score, type QuestionFile } from 'pastpaper';
      import schema from 'pastpaper/schema/exam.schema.json' with { type: 'json' };
      const marks = (paper: QuestionFile): number[] => paper.questions.map((question) => score(question, 'A'));
      // @ts-expect-error: a response is a text
      const wrong = (): number => score({ type: 'mcq', answer: 'A' }, 1);
      console.log(score({ type: 'mcq', answer: 'A' }, 'A'), typeof schema, marks.length, wrong.length);
    `;
    await writeFile(join(bank, 'program.mts'), program);
    const tsc = join(repository, 'node_modules/typescript/bin/tsc');
    const options = ['--strict', '--module', 'nodenext', '--resolveJsonModule', '--target', 'es2022'];
    await run(bank, process.execPath, tsc, '--ignoreConfig', ...options, 'program.mts');
    assert.equal(await run(bank, process.execPath, 'program.mjs'), '1 object 1 0\n');
  });
});
