import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Has a process end with the tests that started it, also where they are cut off. */
export function goesAlong(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}
