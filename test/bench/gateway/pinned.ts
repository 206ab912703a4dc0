import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** Of two cores or more, the last one is the server's, and the first one the client's. */
export const serverCore = String(availableParallelism() - 1);
export const clientCore = '0';

/** Whether a command is on this machine. */
export function has(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A command, pinned to a core where the machine can do that. */
export function pinned(core: string, command: readonly string[]): readonly [string, readonly string[]] {
  const [first = '', ...rest] = has('taskset') ? ['taskset', '-c', core, ...command] : command;
  return [first, rest];
}

/**
 * Starts a server pinned to its core, or to another. What it says of itself goes to this process's own standard error.
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

/** Runs a client on its core, to its end. */
export async function runPinned(command: readonly string[]): Promise<string> {
  const [file, args] = pinned(clientCore, command);
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stderr.resume();
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}`);
  return said;
}

/** Ends a process, and waits until it has ended. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}

/** Waits until a URL answers at all. */
export async function answers(url: string): Promise<void> {
  const until = performance.now() + 60_000;
  for (;;) {
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => undefined,
    );
    if (status !== undefined) return;
    if (performance.now() > until) throw new Error(`${url} does not answer`);
    await delay(50);
  }
}
