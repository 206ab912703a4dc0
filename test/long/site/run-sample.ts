import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { promisify } from 'node:util';
import { environment } from '../../gateway/started-process.ts';

const run = promisify(execFile);

/** The command that runs pasted code of a language. */
const commands: Readonly<Record<string, (code: string) => readonly string[]>> = {
  curl: (code) => ['sh', '-c', code],
  javascript: (code) => [process.execPath, '--input-type=module', '-e', code],
  python: (code) => ['python3', '-c', code],
};

/** Runs a sample in a folder. @returns its standard output @throws if the sample fails */
export async function runSample(
  language: string,
  code: string,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const [command = '', ...args] = commands[language]?.(code) ?? assert.fail(`no way to run ${language}`);
  return (await run(command, args, { cwd: folder, env: environment(settings) })).stdout;
}

/** The result of a program. */
export interface RunResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a shell command in a folder. */
export async function runCommand(
  command: string,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<RunResult> {
  // With the version of Node that runs the tests.
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`;
  const options = { cwd: folder, env: environment({ ...settings, PATH: path }) };
  return run('sh', ['-c', command], options).then(
    ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ status: code, stdout, stderr }),
  );
}

/** Why samples of a language are skipped; in CI a missing command is a failure. */
export async function skipReason(language: string): Promise<string | false> {
  const command = { curl: 'curl', python: 'python3', java: 'java' }[language];
  if (command === undefined || process.env['CI']) return false;
  return run(command, ['--version']).then(
    () => false,
    () => `there is no ${command} on this machine`,
  );
}
