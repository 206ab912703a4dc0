import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { environment, repository } from '../gateway/started-process.ts';

const run = promisify(execFile);

/** The command that runs code of a language, as one pastes it. */
const commands: Readonly<Record<string, (code: string) => readonly string[]>> = {
  curl: (code) => ['sh', '-c', code],
  javascript: (code) => [process.execPath, '--input-type=module', '-e', code],
  python: (code) => ['python3', '-c', code],
};

/** Runs a sample in a folder; returns what it printed. A sample that fails rejects. */
export async function runSample(
  language: string,
  code: string,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  if (language === 'typescript') return runTypeScript(code, settings);
  const [command = '', ...args] = commands[language]?.(code) ?? assert.fail(`no way to run ${language}`);
  return (await run(command, args, { cwd: folder, env: environment(settings) })).stdout;
}

/** How a program ended. */
export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command as one types it in a folder, such as one that holds a program of a page. */
export async function runCommand(
  command: string,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<Ran> {
  // Where several versions of Node are, that which runs the tests.
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`;
  const options = { cwd: folder, env: environment({ ...settings, PATH: path }) };
  return run('sh', ['-c', command], options).then(
    ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ status: code, stdout, stderr }),
  );
}

/** Why samples of a language are skipped; in CI what is missing is a failure. */
export async function skipReason(language: string): Promise<string | false> {
  const command = { curl: 'curl', python: 'python3', java: 'java' }[language];
  if (command === undefined || process.env['CI']) return false;
  return run(command, ['--version']).then(
    () => false,
    () => `there is no ${command} on this machine`,
  );
}

/** Where the modules of this repository are found, the code is compiled by its settings, and run. */
async function runTypeScript(code: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const data = join(repository, '.data');
  await mkdir(data, { recursive: true });
  const folder = await mkdtemp(join(data, 'sample-'));
  try {
    const file = join(folder, 'sample.ts');
    const config = { extends: '../../tsconfig.json', include: ['.'], exclude: [] };
    await writeFile(file, code);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder], { cwd: repository });
    const args = ['--import', 'tsx', file];
    return (await run(process.execPath, args, { cwd: repository, env: environment(settings) })).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}
