import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../../build/cli.ts';
import {
  type CommandResult,
  environment,
  repository,
  startCommand,
} from '../gateway/started-process.ts';
import { type Outcome, runInProcess } from '../in-process.ts';

export type { Outcome };
export { repository };

type Settings = Readonly<Record<string, string>>;

/** Runs a command of the build in this process. */
export function runCommand(args: readonly string[], settings: Settings = {}): Promise<Outcome> {
  return runInProcess(main, args, environment(withDataDir(settings)));
}

/** Runs a command of the build in a new process, as npm's scripts do. */
export function spawnCommand(
  args: readonly string[],
  settings: Settings = {},
): Promise<CommandResult> {
  return run([process.execPath, 'build/pastpaper.js', ...args], settings);
}

/** Like `runCommand`, with a limit on file size in KiB. Writing more fails, as on a full disk. */
export function runCommandOnSmallDisk(
  fileKibibytes: number,
  args: readonly string[],
  settings: Settings,
): Promise<CommandResult> {
  // dash and bash count blocks of 512 and 1024 bytes; either is small enough for a limit.
  const script = `ulimit -f ${fileKibibytes}; exec "$@"`;
  const command = [process.execPath, 'build/pastpaper.js', ...args];
  // Coverage would write an incomplete file.
  const withoutCoverage = { ...settings, NODE_V8_COVERAGE: '' };
  return run(['/bin/sh', '-c', script, 'sh', ...command], withoutCoverage);
}

/** Like `runCommand`, but file permissions apply: root runs it without its capabilities (capabilities(7)). */
export function runUnprivileged(
  args: readonly string[],
  settings: Settings,
): Promise<CommandResult> {
  const command = [process.execPath, 'build/pastpaper.js', ...args];
  const without = ['--bounding-set', '-dac_override,-dac_read_search', '--inh-caps', '-all'];
  return run(process.getuid?.() === 0 ? ['setpriv', ...without, ...command] : command, settings);
}

/** Runs a shell command, in which `$0` is node. */
export function runShell(line: string, settings: Settings): Promise<CommandResult> {
  return run(['/bin/sh', '-c', line, process.execPath], settings);
}

/** Tests share a cache of formulas. */
function withDataDir(settings: Settings): Settings {
  return { DATA_DIR: join(tmpdir(), 'pastpaper-tests'), ...settings };
}

function run(words: readonly string[], settings: Settings): Promise<CommandResult> {
  const [program = '', ...args] = words;
  return startCommand(program, args, withDataDir(settings)).ended;
}

/** Asserts that the output has no stack trace. */
export function assertNoStackTrace({ stdout, stderr }: Omit<Outcome, 'status'>): void {
  assert.doesNotMatch(stdout + stderr, /^\s+at /m);
}
