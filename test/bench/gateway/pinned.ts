import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** The server runs on the last core, and the client on the first one. */
export const serverCore = String(availableParallelism() - 1);
export const clientCore = '0';

/** Whether a command is installed. */
export function has(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A command that is pinned to a core, if taskset is installed. */
export function pinned(core: string, command: readonly string[]): readonly [string, readonly string[]] {
  const [first = '', ...rest] = has('taskset') ? ['taskset', '-c', core, ...command] : command;
  return [first, rest];
}

/**
 * Starts a server that is pinned to a core. Its standard error is that of this process.
 */
export function startPinned(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  core = serverCore,
): ChildProcess {
  const { PATH, HOME } = process.env;
  const [file, args] = pinned(core, command);
  const child = spawn(file, args, { env: { PATH, HOME, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill());
  return child;
}

/** Runs a client that is pinned to a core. @param input its standard input @returns its standard output */
export async function runPinned(command: readonly string[], input = '', core = clientCore): Promise<string> {
  const [file, args] = pinned(core, command);
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.resume();
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}`);
  return output;
}

/** Stops a process, and waits until it has ended. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}

/** Milliseconds. A gateway reads every file of its release before it listens. */
const startTimeout = 600_000;

/** Waits until a URL responds with any status. */
export async function waitForServer(url: string): Promise<void> {
  const until = performance.now() + startTimeout;
  for (;;) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => undefined,
    );
    if (status !== undefined) return;
    if (performance.now() > until) throw new Error(`${url} does not respond`);
    await delay(50);
  }
}
