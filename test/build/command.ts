import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from '../../build/cli.ts';
import { type Outcome, runInProcess } from '../in-process.ts';

/** Where the commands run. */
export const repository = fileURLToPath(new URL('../..', import.meta.url));

export type { Outcome };

export interface Settings {
  readonly CONTENT_DIR?: string;
  readonly DIST_DIR?: string;
  readonly DATA_DIR?: string;
  readonly SIGNING_KEY?: string;
}

/** Runs a command of the build in this process. */
export function runCommand(args: readonly string[], settings: Settings = {}): Promise<Outcome> {
  return runInProcess(main, args, environmentWith(settings));
}

/** Runs a command of the build in a new process, as npm's scripts do. */
export function spawnCommand(args: readonly string[], settings: Settings = {}): Promise<Outcome> {
  return run(process.execPath, ['build/pastpaper.js', ...args], settings);
}

/** Like `runCommand`, with a limit on file size in KiB. Writing more fails, as on a full disk. */
export function runCommandOnSmallDisk(
  fileKibibytes: number,
  args: readonly string[],
  settings: Settings,
): Promise<Outcome> {
  // dash and bash count blocks of 512 and 1024 bytes; either is small enough for a limit.
  const script = `ulimit -f ${fileKibibytes}; exec "$@"`;
  const command = [process.execPath, 'build/pastpaper.js', ...args];
  // Coverage would write an incomplete file.
  const environment = { NODE_V8_COVERAGE: undefined };
  return run('/bin/sh', ['-c', script, 'sh', ...command], settings, environment);
}

/** Like `runCommand`, but file permissions apply: root runs it without its capabilities (capabilities(7)). */
export function runUnprivileged(args: readonly string[], settings: Settings): Promise<Outcome> {
  const command = [process.execPath, 'build/pastpaper.js', ...args];
  const without = ['--bounding-set', '-dac_override,-dac_read_search', '--inh-caps', '-all'];
  const [program = '', ...words] =
    process.getuid?.() === 0 ? ['setpriv', ...without, ...command] : command;
  return run(program, words, settings);
}

/** Runs a shell command, in which `$0` is node. */
export function runShell(line: string, settings: Settings): Promise<Outcome> {
  return run('/bin/sh', ['-c', line, process.execPath], settings);
}

function run(
  command: string,
  args: readonly string[],
  settings: Settings,
  environment: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const env = { ...environmentWith(settings), ...environment };
  return new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      { cwd: repository, env, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number') reject(error);
        else resolve({ status: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      },
    );
  });
}

function environmentWith(settings: Settings): NodeJS.ProcessEnv {
  const { CONTENT_DIR: _content, DIST_DIR: _dist, SIGNING_KEY: _key, ...inherited } = process.env;
  return { ...inherited, DATA_DIR: join(tmpdir(), 'pastpaper-tests'), ...settings };
}

/** Asserts that the output has no stack trace. */
export function assertNoStackTrace({ stdout, stderr }: Outcome): void {
  assert.doesNotMatch(stdout + stderr, /^\s+at /m);
}
