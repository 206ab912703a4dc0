import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Kills a child process when this process exits, even if tests are aborted. */
export function killOnExit(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

export const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The output and exit status of a command. */
export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type StartedProcess = ReturnType<typeof startCommand>;

/** The environment of a command, without the settings of this process. */
export function environment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_V8_COVERAGE, npm_config_cache } = process.env;
  return { PATH, HOME, NODE_V8_COVERAGE, npm_config_cache, ...settings };
}

const noResult = () => undefined;

/** Starts a Pastpaper command, as the npm scripts do. */
export function startPastpaper(
  command: string,
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  cwd?: string,
) {
  const program = join(repository, 'build/pastpaper.js');
  return startCommand(process.execPath, [program, command, ...args], settings, cwd);
}

/** Starts a test module with tsx. */
export function startModule(
  module: string,
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
) {
  return startCommand(process.execPath, ['--import', 'tsx', module, ...args], settings);
}

/**
 * Starts a command, in the repository or another folder.
 *
 * @param channel `ipc` opens a channel for messages
 */
export function startCommand(
  command: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  cwd = repository,
  channel: readonly 'ipc'[] = [],
) {
  const child = spawn(command, args, {
    cwd,
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe', ...channel],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  killOnExit(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ended = once(child, 'close').then(([status]): CommandResult => ({ status, ...output }));
  return {
    process: child as ChildProcess,
    /** What it has printed until now. */
    output: output as Readonly<typeof output>,
    ended,
    /** Resolves when standard output, or standard error, matches; rejects if the process ends before. */
    async waitForOutput(pattern: RegExp, stream: 'stdout' | 'stderr' = 'stdout') {
      // Without a bound, output that has changed would look like a slow test.
      const tooLate = AbortSignal.timeout(120_000);
      for (;;) {
        const match = pattern.exec(output[stream]);
        if (match) return match;
        if (tooLate.aborted) throw new Error(`did not print ${pattern}, but:\n${output[stream]}`);
        const data = once(child[stream], 'data', { signal: tooLate });
        const end = await Promise.race([ended, data.then(noResult, noResult)]);
        if (end && !pattern.test(output[stream]))
          throw new Error(`ended with ${end.status}: ${end.stderr}`);
      }
    },
    /** Stops it and waits until it has ended. On SIGINT, the default, idle connections close at once. */
    stop(signal: NodeJS.Signals = 'SIGINT'): Promise<CommandResult> {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs a Pastpaper command until it exits. */
export function runPastpaper(
  command: string,
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<CommandResult> {
  return startPastpaper(command, settings, args).ended;
}
